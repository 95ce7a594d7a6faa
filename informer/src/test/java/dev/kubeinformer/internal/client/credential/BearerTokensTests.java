package dev.kubeinformer.internal.client.credential;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link BearerTokens}.
 */
class BearerTokensTests {

	@ParameterizedTest
	@CsvSource(nullValues = "-", textBlock = """
			abc, -
			a b, -
			'', is empty
			'  ', is empty
			'a
			b', 'has more than one line, and a token has one'
			ä, contains characters that a token cannot have
			""")
	void tokenThatCannotBeSentShouldSaySo(String token, @Nullable String problem) {
		assertThat(BearerTokens.problem(token)).isEqualTo(problem);
	}

	@Test
	void controlCharactersShouldNotBeSent() {
		assertThat(BearerTokens.problem("a\u0000b")).isNotNull();
		assertThat(BearerTokens.problem("a\rb")).isNotNull();
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-", textBlock = """
			{"exp": 1700000000}, 2023-11-14T22:13:20Z
			{"exp": 1.7e9}, 2023-11-14T22:13:20Z
			{"exp": "1700000000"}, -
			{"iat": 1}, -
			{"exp": 1e300}, -
			[], -
			no JSON, -
			""")
	void expiryShouldBeTheClaimOfTheToken(String claims, @Nullable Instant expires) {
		String payload = Base64.getUrlEncoder()
			.withoutPadding()
			.encodeToString(claims.getBytes(StandardCharsets.UTF_8));
		assertThat(BearerTokens.expires("e30." + payload + ".sig")).isEqualTo(expires);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "abc", "a.b", "a.!.c", "a.b.c.d" })
	void otherTokenShouldNotHaveAnExpiry(String token) {
		assertThat(BearerTokens.expires(token)).isNull();
	}

}
