package dev.kubeinformer.internal.store;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Names of one hash code, as anybody can make them.
 */
public final class CollidingNames {

	private CollidingNames() {
	}

	public static List<String> of(int count) {
		return IntStream.range(0, count).mapToObj(CollidingNames::name).toList();
	}

	public static String name(int number) {
		StringBuilder name = new StringBuilder();
		for (int bit = 14; bit >= 0; bit--) {
			// "an" and "c0" have one
			name.append(((number >> bit & 1) != 0) ? "c0" : "an");
		}
		return name.toString();
	}

}
