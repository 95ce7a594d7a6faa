package dev.kubeinformer.client.table;

import java.util.Locale;

import dev.kubeinformer.client.table.Contacts.Answer;

/**
 * Verdict on a kubeconfig. It comes from the servers, not from the client.
 *
 * @param text {@code connects as …}, {@code fails: …} if a request was sent, or {@code
 * refuses} if none was
 */
record Verdict(String text) {

	/** The client would not connect to anything. */
	static final Verdict REFUSES = new Verdict("refuses");

	/** It tried, and nobody was there. */
	static final Verdict UNREACHABLE = new Verdict("fails: no connection");

	/**
	 * Returns what became of it.
	 * @param contacts what the servers saw
	 * @param succeeded whether the client was content
	 * @param tried whether it says that it tried to connect
	 * @return the verdict
	 */
	static Verdict of(Contacts contacts, boolean succeeded, boolean tried) {
		Answer answer = contacts.last();
		String proxy = contacts.lastProxy();
		String through = (proxy != null) ? " through " + proxy : "";
		if (answer != null) {
			String name = (answer.serverName() != null) ? " by the name " + answer.serverName().toLowerCase(Locale.ROOT)
					: "";
			if (succeeded != (answer.status() == 200)) {
				return new Verdict("fails: answer " + answer.status() + " not understood");
			}
			return new Verdict(
					(succeeded ? "connects as " + answer.user() : "fails: " + said(answer)) + name + through);
		}
		if (contacts.any()) {
			return new Verdict("fails: handshake" + through);
		}
		return tried ? UNREACHABLE : REFUSES;
	}

	private static String said(Answer answer) {
		return answer.status() + ((answer.status() == 403) ? " for " + answer.user() : "");
	}

	boolean isSuccess() {
		return this.text.startsWith("connects");
	}

	boolean isRefusal() {
		return equals(REFUSES);
	}

	@Override
	public String toString() {
		return this.text;
	}

}
