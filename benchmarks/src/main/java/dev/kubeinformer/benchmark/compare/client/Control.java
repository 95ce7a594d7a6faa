package dev.kubeinformer.benchmark.compare.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * The orders that the replaying server takes.
 */
final class Control {

	private final String url;

	Control(String url) {
		this.url = url;
		call("/bench/reset");
	}

	/**
	 * Begins to send changes.
	 * @param perSecond how many in a second; 0 to end
	 */
	void rate(int perSecond) {
		call("/bench/rate?perSecond=" + perSecond);
	}

	/**
	 * How many changes were sent so far.
	 * @return the number
	 */
	long sent() {
		return Long.parseLong(call("/bench/sent"));
	}

	/**
	 * Ends the watch and refuses its version with HTTP 410 from now on. The next watch
	 * begins with a change of one pod.
	 */
	void expire() {
		call("/bench/expire");
	}

	/**
	 * When the list after the expiry was asked for.
	 * @return {@link System#nanoTime()} at that moment
	 */
	long listed() {
		return Long.parseLong(call("/bench/listed"));
	}

	/**
	 * Whether a watch is open that has sent all it has.
	 * @return whether changes would be sent at once
	 */
	boolean isWatched() {
		return Boolean.parseBoolean(call("/bench/watched"));
	}

	/**
	 * When the last change was due.
	 * @return {@link System#nanoTime()} at that moment; 0 if there was none
	 */
	long last() {
		return Long.parseLong(call("/bench/last"));
	}

	private String call(String path) {
		try {
			HttpURLConnection connection = (HttpURLConnection) URI.create(this.url + path).toURL().openConnection();
			try (InputStream body = connection.getInputStream()) {
				return new String(body.readAllBytes(), StandardCharsets.UTF_8);
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException("The server did not take " + path, ex);
		}
	}

}
