package dev.kubeinformer.internal.transport;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.MalformedResponseException;

/**
 * Checks the pages of one list, and stops a list that has no end before it uses up memory
 * or time. To do so, it remembers digests of the pages. Not safe for use by several
 * threads.
 */
public final class ListPages {

	/**
	 * Maximum number of consecutive pages without new objects. kube-apiserver fills each
	 * page except the last one. Other servers may filter the objects of a page, so a page
	 * may be empty.
	 */
	private static final int MOST_IDLE = 1_000;

	/**
	 * Maximum number of pages. With 500 objects in each page, more pages do not fit into
	 * any memory.
	 */
	private static final int MOST = 100_000;

	/** Longest continue token that a request can carry. */
	private static final int LONGEST_TOKEN = 64 * 1024;

	private final Set<UUID> tokens = new HashSet<>();

	private final Set<UUID> beginnings = new HashSet<>();

	private int idle;

	/**
	 * Adds a page that is followed by another one.
	 * @param header the header of the page
	 * @param beginning the identity of the first object of the page; empty if the page
	 * has no object
	 * @return the token of the next page
	 * @throws MalformedResponseException if the token is too long or was used before, or
	 * if there are too many pages, in total or in a row without new objects
	 */
	public String turn(ListHeader header, String beginning) throws MalformedResponseException {
		String token = header.continueToken();
		if (token.length() > LONGEST_TOKEN) {
			throw new MalformedResponseException(
					"The list has a 'continue' token of more than %d characters".formatted(LONGEST_TOKEN));
		}
		if (!this.tokens.add(digest(token))) {
			throw new MalformedResponseException("The list has a 'continue' token that it had before");
		}
		boolean progress = !beginning.isEmpty() && this.beginnings.add(digest(beginning));
		this.idle = progress ? 0 : this.idle + 1;
		if (this.idle >= MOST_IDLE) {
			throw new MalformedResponseException(
					"The list has no end: %d pages in a row brought a 'continue' token and nothing new"
						.formatted(MOST_IDLE));
		}
		if (this.tokens.size() >= MOST) {
			throw new MalformedResponseException(
					"The list has no end: %d pages brought a 'continue' token each; ".formatted(MOST)
							+ "a larger page size makes them fewer");
		}
		return token;
	}

	private static UUID digest(String text) {
		return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
	}

}
