package dev.kubeinformer.internal.client.kubeconfig;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests of {@link KubeconfigEdit}.
 */
class KubeconfigEditTests {

	private static final Map<String, String> TOKENS = Map.of("id-token", "a.b-c_d.e", "refresh-token", "r 2\"#");

	private static final String YAML = """
			# mine
			users:
			- name: you
			  user: {auth-provider: {name: oidc, config: {id-token: old, refresh-token: r1}}}
			- name: me # mé 𝔪
			  user:
			    auth-provider:
			      config:
			        # of the company
			        client-id: c
			        id-token: old   # for an hour
			        idp-issuer-url: 'https://i'
			        refresh-token: "r1"
			      name: oidc
			contexts: []
			# the end
			""";

	@Test
	void valuesShouldBeReplacedAndAllElseStay() throws IOException {
		assertThat(changed(YAML, TOKENS)).isEqualTo(
				YAML.replace("        id-token: old", "        id-token: a.b-c_d.e").replace("\"r1\"", "\"r 2\\\"#\""));
	}

	@Test
	void nothingShouldBeWrittenIfTheValuesAreThere() throws IOException {
		assertThat(changed(YAML, Map.of("id-token", "old", "refresh-token", "r1"))).isNull();
	}

	@Test
	void missingValuesShouldBeAdded() throws IOException {
		String yaml = YAML.replace("        id-token: old   # for an hour\n", "")
			.replace("        refresh-token: \"r1\"\n", "")
			.replace("\n", "\r\n");
		assertThat(changed(yaml, TOKENS)).isEqualTo(yaml.replace("        client-id: c",
				"        id-token: \"a.b-c_d.e\"\r\n        refresh-token: \"r 2\\\"#\"\r\n        client-id: c"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "0x12", "true", "1.5", "null", "~", "-", "a: b", "{a}", "äß", "😀", "a\\b", "\u2028", "'",
			"y" })
	void anyValueShouldStayAText(String value) throws IOException {
		String changed = changed(YAML, Map.of("id-token", value, "new", value));
		assertThat(KubeconfigEdit.of(bytes(String.valueOf(changed)), "me").config()).containsEntry("id-token", value)
			.containsEntry("new", value);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "\uFEFF" })
	void jsonShouldStayJson(String mark) throws IOException {
		String json = mark + """
				{"kind":"Config",
				\t"users":[{"name":"me","user":{"auth-provider":{"name":"oidc","config":{
				\t\t"client-id":"c","idp-issuer-url":"i","refresh-token":"r1"}}}}]}
				""";
		assertThat(changed(json, TOKENS)).isEqualTo(
				json.replace("\"config\":{", "\"config\":{\"id-token\": \"a.b-c_d.e\", ").replace("r1", "r 2\\\"#"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "id-token: &a old\n        other: *a", "<<: {id-token: old, client-id: d}",
			"id-token: !!binary b2xk", "id-token: >-\n          old\n        other: x", "? id-token\n        : old" })
	void unusualTextsShouldBeReplacedOrRefused(String config) throws IOException {
		String yaml = unusual(config);
		Map<String, String> values = Map.of("id-token", "s3cret");
		try {
			String changed = String.valueOf(changed(yaml, values));
			assertThat(KubeconfigEdit.of(bytes(changed), "me").config()).containsAllEntriesOf(values);
			assertThat(changed.lines())
				.containsAll(yaml.lines().filter((line) -> !line.contains("token") && !line.contains("old")).toList());
		}
		catch (IOException ex) {
			assertThat(ex).hasMessageContaining("uses aliases, tags or block texts").hasMessageNotContaining("s3cret");
		}
	}

	private static String unusual(String config) {
		return """
				x: &x old
				users:
				- name: me
				  user:
				    auth-provider:
				      name: oidc
				      config:
				        client-id: c
				        %s
				""".formatted(config);
	}

	@Test
	void valueOfAnotherPlaceShouldNotBeReplaced() {
		assertThatIOException().isThrownBy(() -> changed(unusual("id-token: *x"), TOKENS))
			.withMessage("its 'auth-provider.config' uses aliases, tags or block texts, so that its tokens "
					+ "cannot be replaced");
		String json = "{\"users\":[{\"name\":\"me\",\"user\":{\"auth-provider\":{\"config\":{\"x\":\"a\\/b\"}}}}]}";
		// SnakeYAML 2.6 does not know the escape, Jackson does.
		assertThatIOException().isThrownBy(() -> changed(json, TOKENS)).withMessageContaining("cannot be replaced");
	}

	@Test
	void userWithoutAProviderShouldBeNamed() {
		assertThatIOException().isThrownBy(() -> KubeconfigEdit.of(bytes(YAML), "she"))
			.withMessage("it no longer has a user 'she' with an auth provider");
		assertThatIOException().isThrownBy(() -> KubeconfigEdit.of(bytes(""), "me"))
			.withMessage("it no longer has a user 'me' with an auth provider");
	}

	@Test
	void otherEncodingsShouldBeRefused() {
		byte[] yaml = YAML.getBytes(StandardCharsets.UTF_16);
		assertThatException().isThrownBy(() -> KubeconfigEdit.of(yaml, "me")).withMessageNotContaining("r1");
		assertThatIOException()
			.isThrownBy(() -> KubeconfigEdit.of(YAML.replace("𝔪", "").getBytes(StandardCharsets.ISO_8859_1), "me"))
			.withMessage("it is not in UTF-8");
	}

	private static @Nullable String changed(String text, Map<String, String> values) throws IOException {
		byte[] changed = KubeconfigEdit.of(bytes(text), "me").with(values);
		return (changed != null) ? new String(changed, StandardCharsets.UTF_8) : null;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
