package dev.kubeinformer.spring.settings;

import java.util.Collection;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ClusterName;

/**
 * Rules for ids of handlers and for configuration keys.
 */
public final class InformerIds {

	private static final Pattern VALID = Pattern.compile("[A-Za-z0-9_-]+");

	private static final Pattern CLUSTER = Pattern.compile("[a-z0-9-]+");

	private InformerIds() {
	}

	/**
	 * Returns whether a text may be the id of a handler.
	 * @param id the text
	 * @return {@code true} if the text consists of letters, digits, {@code -} and
	 * {@code _}
	 */
	public static boolean isValid(String id) {
		return VALID.matcher(id).matches();
	}

	/**
	 * Returns whether a text may be the name of a cluster.
	 * @param name the text
	 * @return {@code true} if the text consists of lower-case letters, digits and
	 * {@code -}
	 */
	public static boolean isCluster(String name) {
		return CLUSTER.matcher(name).matches();
	}

	/**
	 * Returns an id that is unique among all clusters.
	 * @param cluster the name of the cluster
	 * @param id the id within the cluster
	 * @return the cluster name, a dot and the id; for the default cluster, only the id
	 */
	public static String qualified(String cluster, String id) {
		return new ClusterName(cluster).qualify(id);
	}

	/**
	 * Returns an id within its cluster.
	 * @param cluster the name of the cluster
	 * @param id the id that is unique among all clusters
	 * @return the id without the name of the cluster
	 */
	public static String plain(String cluster, String id) {
		return id.startsWith(qualified(cluster, "")) ? id.substring(qualified(cluster, "").length()) : id;
	}

	/**
	 * Returns the form in which ids and keys are compared. Case and the characters
	 * {@code -}, {@code _} and {@code .} are ignored, because environment variables do
	 * not preserve them.
	 * @param id the id or key
	 * @return the id without the ignored characters, in lower case
	 */
	public static String canonical(String id) {
		return id.replaceAll("[-_.]", "").toLowerCase(Locale.ROOT);
	}

	/**
	 * Finds the existing id that the user probably meant when writing an unknown id.
	 * @param id the id or key as written
	 * @param candidates the existing ids
	 * @return the most similar id, or {@code null} if none is similar
	 */
	public static @Nullable String similar(String id, Collection<String> candidates) {
		String written = canonical(id);
		String similar = null;
		// Allow at most one typing error per three letters.
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
	 * Returns the edit distance of two texts (Levenshtein, but a swap of two adjacent
	 * characters counts as one edit).
	 * @param one a text
	 * @param other another text
	 * @return the number of insertions, deletions, replacements and swaps
	 */
	public static int distance(String one, String other) {
		int[][] rows = new int[one.length() + 1][];
		rows[0] = IntStream.rangeClosed(0, other.length()).toArray();
		for (int i = 1; i <= one.length(); i++) {
			int[] row = new int[other.length() + 1];
			row[0] = i;
			for (int j = 1; j <= other.length(); j++) {
				int replaced = rows[i - 1][j - 1] + ((one.charAt(i - 1) != other.charAt(j - 1)) ? 1 : 0);
				row[j] = Math.min(replaced, 1 + Math.min(rows[i - 1][j], row[j - 1]));
				if (i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2)
						&& one.charAt(i - 2) == other.charAt(j - 1)) {
					row[j] = Math.min(row[j], rows[i - 2][j - 2] + 1);
				}
			}
			rows[i] = row;
		}
		return rows[one.length()][other.length()];
	}

}
