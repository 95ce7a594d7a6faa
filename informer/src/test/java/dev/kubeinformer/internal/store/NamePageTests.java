package dev.kubeinformer.internal.store;

import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class NamePageTests {

	@ParameterizedTest
	@CsvSource({ "0, 0, 0", "1, 0, 0", "8, 0, 0", "8, 5, 0", "9, 0, 0", "9, 9, 0", "40, 3, 6", "400, 9, 0",
			"400, 9, 24", "2000, 4, 31", "65535, 9, 0", "65536, 9, 0", "70000, 9, 0" })
	void findsWhatIsThereAndNothingElse(int size, int shift, int equalBits) {
		int[] hashes = hashes(size, shift, equalBits);
		NamePage.Writer<Integer> writer = new NamePage.Writer<>(size, NamePage.width(name(size)), shift);
		for (int i = 0; i < size; i++) {
			writer.add(new StoredObject<>("", name(i), "", "", i), hashes[i]);
		}
		NamePage<Integer> page = writer.page();
		int wrong = 0;
		for (int i = 0; i < size; i++) {
			wrong += (page.find(hashes[i], shift, name(i)) != i) ? 1 : 0;
			// as another one of that hash would be
			wrong += (page.find(hashes[i], shift, "x" + i) >= 0) ? 1 : 0;
			wrong += (page.place(hashes[i], name(i)) != i || page.place(hashes[i], name(i) + "a") != i + 1) ? 1 : 0;
		}
		assertThat(wrong).isZero();
	}

	// In their order, of which many are equal if many bits are.
	private static int[] hashes(int size, int shift, int equalBits) {
		Random random = new Random(size);
		int common = (shift > 0) ? 0xA5A5A5A5 << (Integer.SIZE - shift) : 0;
		int[] flipped = new int[size];
		for (int i = 0; i < size; i++) {
			int own = (random.nextInt() >>> shift) & (-1 << Math.min(equalBits, Integer.SIZE - 1));
			flipped[i] = (common | own) ^ Integer.MIN_VALUE;
		}
		Arrays.sort(flipped);
		return Arrays.stream(flipped).map((hash) -> hash ^ Integer.MIN_VALUE).toArray();
	}

	private static String name(int number) {
		return "pod-%06d".formatted(number);
	}

}
