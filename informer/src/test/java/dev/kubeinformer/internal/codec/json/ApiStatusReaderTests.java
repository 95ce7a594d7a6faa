package dev.kubeinformer.internal.codec.json;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.internal.codec.ApiStatus;

import static org.assertj.core.api.Assertions.assertThat;

class ApiStatusReaderTests {

	private final JsonMappers mappers = new JsonMappers(false);

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "{\"code\":410}|410", "{\"code\":0}|503", "{}|503", "<html>|503" })
	void codeThatIsZeroOrMissingIsThatOfTheAnswer(String body, int code) {
		ApiStatus status = ApiStatusReader.read(this.mappers, body.getBytes(StandardCharsets.UTF_8), 503);
		assertThat(status.code()).isEqualTo(code);
	}

}
