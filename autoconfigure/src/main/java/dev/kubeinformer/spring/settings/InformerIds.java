package dev.kubeinformer.spring.settings;

import java.util.Collection;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * Rules for ids of handlers and keys of the configuration.
 */
public final class InformerIds {

	private static final Pattern VALID = Pattern.compile("[A-Za-z0-9_-]+");

	private InformerIds() {
	}

	/**
	 * Returns whether a text may be the id of a handler.
	 * @param id the text
	 * @return whether it consists of letters, digits, {@code -} and {@code _}
	 */
	public static boolean isValid(String id) {
		return VALID.matcher(id).matches();
	}

	/**
	 * Returns the form in which ids and keys are compared. Environment variables know
	 * neither case nor {@code -}, {@code _} or {@code .}, so these do not count.
	 * @param id the id or key
	 * @return the id without what does not count
	 */
	public static String canonical(String id) {
		return id.replaceAll("[-_.]", "").toLowerCase(Locale.ROOT);
	}

	/**
	 * Finds what someone may have meant who wrote an id that does not exist.
	 * @param id the id or key as written
	 * @param candidates the ids that exist
	 * @return the most similar of them, or {@code null} if none is similar
	 */
	public static @Nullable String similar(String id, Collection<String> candidates) {
		String written = canonical(id);
		String similar = null;
		// More than one slip in three letters is another word.
		int least = Math.max(1, written.length() / 3) + 1;
		for (String candidate : candidates) {
			int distance = distance(written, canonical(candidate));
			if (distance < least) {
				similar = candidate;
				least = distance;
			}
		}
		return similar;
	}

	/**
	 * Returns how different two texts are (Levenshtein's distance).
	 * @param one a text
	 * @param other another text
	 * @return the number of letters to add, remove or replace
	 */
	public static int distance(String one, String other) {
		int[] row = IntStream.rangeClosed(0, other.length()).toArray();
		for (int i = 1; i <= one.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j <= other.length(); j++) {
				int replaced = diagonal + ((one.charAt(i - 1) != other.charAt(j - 1)) ? 1 : 0);
				diagonal = row[j];
				row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
			}
		}
		return row[other.length()];
	}

}
