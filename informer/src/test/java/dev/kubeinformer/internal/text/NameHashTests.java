package dev.kubeinformer.internal.text;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NameHashTests {

	private final NameHash hash = NameHash.random();

	@Test
	void bytesShouldHaveTheHashOfTheirStrings() {
		for (int length = 0; length < 12; length++) {
			String name = "abcdefghijkl".substring(0, length);
			assertThat(this.hash.of(text(name))).as("%d characters", length).isEqualTo(this.hash.of(name));
		}
	}

	@Test
	void textsThatDifferInOneCharacterOrInLengthShouldHaveHashesOfTheirOwn() {
		List<String> texts = Stream
			.concat(IntStream.range(0, 12).mapToObj("x"::repeat),
					IntStream.range(0, 12)
						.boxed()
						.flatMap((place) -> Stream.of("a", "\0", "\u00e4", "\u3042")
							.map((other) -> "x".repeat(place) + other + "x".repeat(11 - place))))
			.toList();
		Set<Integer> hashes = new HashSet<>();
		texts.forEach((text) -> hashes.add(this.hash.of(text)));
		assertThat(hashes).hasSameSizeAs(texts);
	}

	@Test
	void borderOfNamespaceAndNameShouldCount() {
		Set<Integer> hashes = new HashSet<>();
		for (int border = 0; border <= 9; border++) {
			hashes.add(this.hash.of("namespace".substring(0, border), "namespace".substring(border)));
		}
		assertThat(hashes).hasSize(10);
	}

	@Test
	void textsOfOneHashCodeShouldHaveHashesOfTheirOwn() {
		// "Aa" and "BB" have one, and so have all texts that are made of them.
		List<String> texts = IntStream.range(0, 1 << 10)
			.mapToObj((bits) -> IntStream.range(0, 10)
				.mapToObj((bit) -> ((bits >> bit & 1) == 0) ? "Aa" : "BB")
				.reduce("", String::concat))
			.toList();
		assertThat(texts.stream().map(String::hashCode).distinct()).hasSize(1);
		assertThat(texts.stream().map(this.hash::of).distinct().count()).isGreaterThanOrEqualTo(texts.size() - 1);
	}

	private static TextBytes text(String text) {
		TextBytes bytes = new TextBytes();
		byte[] utf8 = ("before" + text + "behind").getBytes(StandardCharsets.UTF_8);
		bytes.set(utf8, 6, utf8.length - 6);
		return bytes;
	}

}
