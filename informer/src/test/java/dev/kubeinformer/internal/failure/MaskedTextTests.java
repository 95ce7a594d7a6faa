package dev.kubeinformer.internal.failure;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests of masking values in messages. */
class MaskedTextTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			Invalid value: "x": got "hunter2" here | Invalid value: got "…" here
			Invalid value: "x": "hunter2" is not allowed | Invalid value: "…" is not allowed
			Invalid value: "x": Password "hunter2" is invalid | Invalid value: Password "…" is invalid
			Forbidden: "hunter2" is not allowed | Forbidden: "…" is not allowed
			Required value: "hunter2" needs it | Required value: "…" needs it
			Unsupported value: "x": supported values: "a", "b" | Unsupported value: supported values: "a", "b"
			Duplicate value: {"name":"hunter2"} | Duplicate value
			""")
	void fieldErrorShouldQuoteNoValue(String message, String masked) {
		assertThat(MaskedText.ofFieldError(message)).isEqualTo(masked);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					invalid "hunter2" | invalid "…"
					Invalid "hunter2" given | Invalid "…" given
					the "hunter2" is invalid | the "…" is invalid
					Bad password "hunter2" is invalid | Bad password "…" is invalid
					Widget.example.com "w" is invalid: "hunter2" | Widget.example.com "w" is invalid: "…"
					ConfigMap "w" already exists | ConfigMap "w" already exists
					Widget "w" not found | Widget "w" not found
					Secret in version "v1" cannot be handled as a Secret: "x" | Secret in version "v1" cannot be handled as a Secret: "…"
					failed calling webhook "a.b": "x" | failed calling webhook "a.b": "…"
					unknown field "spec.a" | unknown field "spec.a"
					.spec.ports: duplicate entries for key [name="a"] | .spec.ports: duplicate entries for key [name="a"]
					got map[a:hunter2] | got map[…]
					""")
	void textShouldQuoteNoOtherNameThanThatOfTheObject(String text, String masked) {
		assertThat(MaskedText.ofQuoted(text)).isEqualTo(masked);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					spec.b: Invalid value: 3, spec.c: Duplicate value: "h2" | spec.b: Invalid value: …, spec.c: Duplicate value: …
					spec.b: Invalid value: "a, b: c", spec.c: Not found: "h2" | spec.b: Invalid value: …, spec.c: Not found: …
					[spec.b: Invalid value: 3, spec.c: Invalid value: "h2": too big] no | [spec.b: Invalid value: …, spec.c: Invalid value: too big] no
					[spec.b: Invalid value: 3] in web: denied | [spec.b: Invalid value: …] in web: denied
					(spec.b: Invalid value: 3) in web: denied | (spec.b: Invalid value: …) in web: denied
					spec.b: Invalid value: 3\\nin web: denied | spec.b: Invalid value: …\\nin web: denied
					spec.b: Invalid value: {"a":[1, 2], "b":"x: y"}: no | spec.b: Invalid value: no
					spec.b: Invalid value: map[a:1, b:2], spec.c: Required value | spec.b: Invalid value: …, spec.c: Required value
					spec.b: Invalid value: must be low, or high: see there | spec.b: Invalid value: must be low, or high: see there
					Invalid value: "h2 | Invalid value: …
					no, "it" is 3 | no, "it" is 3
					""")
	void valueInAFreeTextShouldEndWithItsError(String text, String masked) {
		assertThat(MaskedText.ofFreeText(text.replace("\\n", "\n"))).isEqualTo(masked.replace("\\n", "\n"));
	}

}
