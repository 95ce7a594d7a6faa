package dev.kubeinformer.internal.codec.json;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

class JsonExtentTests {

	private static final String BEHIND = ",{\"a\":\"]}\\\"\"}]}";

	private static final List<String> TEXTS = List.of("", "a", "]", "}", "{[", "\\\"", "\\\\", "\\\\\\\"", "\\\\\\\\",
			"\\u0022", "\\/", "XYZ[xyz{|}~_^", "ä€𝄞Ü¢", "k:{\\\"name\\\":\\\"app\\\"}",
			"a text that is longer than a word");

	private final JsonExtent extent = new JsonExtent();

	@ParameterizedTest
	@ValueSource(strings = { "{}", "[]", "[[]]", "{'a':{}}", "{'a':'}'}", "['\\']']", "['\\\\']", "['\\\\\\']']",
			"['a\\\\','\\\\b']", "['1234567\\\\']", "['123456\\\\\\\\']", "['12345\\\\\\\\\\']']", "['𝄞Ü¢\\\\']",
			"[true,false,null,-1.5E+3,{},[],{'z':[[[]]]}]", "[ { 'a' : [\r\n\t] } ]" })
	void endIsBehindTheBracketThatClosesTheFirstOne(String value) {
		assertThatEndIsFound(value.replace('\'', '"'));
	}

	@Test
	void endIsThatOfAParser() {
		Random random = new Random(20261126);
		for (int i = 0; i < 1_000; i++) {
			String value = random.nextBoolean() ? object(random, 4) : array(random, 4);
			assertThatEndIsFound(value);
		}
	}

	@Test
	void whatIsNoJsonHasAnEndWithinItsBytesOrNone() {
		Random random = new Random(20261126);
		for (int i = 0; i < 5_000; i++) {
			byte[] bytes = new byte[1 + random.nextInt(60)];
			random.nextBytes(bytes);
			for (int j = 0; j < bytes.length; j += 1 + random.nextInt(3)) {
				bytes[j] = (byte) "{}[]\"\\".charAt(random.nextInt(6));
			}
			this.extent.clear();
			int end = this.extent.end(bytes, 0, bytes.length);
			assertThat(end).isBetween(-1, bytes.length);
		}
	}

	private void assertThatEndIsFound(String value) {
		int length = value.getBytes(StandardCharsets.UTF_8).length;
		assertThat(parsed(value)).as(value).isEqualTo(length);
		byte[] bytes = (value + BEHIND).getBytes(StandardCharsets.UTF_8);
		for (int cut = 0; cut < length; cut++) {
			this.extent.clear();
			int end = this.extent.end(bytes, 0, cut);
			int behind = this.extent.end(bytes, cut, bytes.length);
			if (end != -1 || behind != length) {
				fail("%s after %d bytes: %d, %d", value, cut, end, behind);
			}
		}
		this.extent.clear();
		assertThat(this.extent.end(bytes, 0, length)).as(value).isEqualTo(length);
	}

	private static int parsed(String value) {
		try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(),
				(value + BEHIND).getBytes(StandardCharsets.UTF_8))) {
			parser.nextToken();
			parser.skipChildren();
			return (int) parser.currentLocation().getByteOffset();
		}
	}

	private static String object(Random random, int depth) {
		StringBuilder object = new StringBuilder("{");
		for (int i = random.nextInt(4); i > 0; i--) {
			object.append(text(random)).append(space(random)).append(':').append(value(random, depth - 1));
			object.append((i > 1) ? "," : "");
		}
		return object.append(space(random)).append('}').toString();
	}

	private static String array(Random random, int depth) {
		StringBuilder array = new StringBuilder("[");
		for (int i = random.nextInt(4); i > 0; i--) {
			array.append(value(random, depth - 1)).append((i > 1) ? "," : "");
		}
		return array.append(space(random)).append(']').toString();
	}

	private static String value(Random random, int depth) {
		return space(random) + switch (random.nextInt((depth > 0) ? 7 : 4)) {
			case 0 -> List.of("true", "false", "null").get(random.nextInt(3));
			case 1 -> Double.toString(random.nextDouble() * Math.pow(10, random.nextInt(40) - 20));
			case 2, 3 -> text(random);
			case 4 -> array(random, depth);
			default -> object(random, depth);
		};
	}

	private static String text(Random random) {
		StringBuilder text = new StringBuilder("\"");
		for (int i = random.nextInt(4); i > 0; i--) {
			text.append(TEXTS.get(random.nextInt(TEXTS.size())));
		}
		return text.append('"').toString();
	}

	private static String space(Random random) {
		return (random.nextInt(5) == 0) ? " \n\t".substring(random.nextInt(3)) : "";
	}

}
