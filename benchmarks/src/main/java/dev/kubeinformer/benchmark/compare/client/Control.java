package dev.kubeinformer.benchmark.compare.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Commands for the replaying server. */
final class Control {

	private final String url;

	Control(String url) {
		this.url = url;
		call("/bench/reset");
	}

	/**
	 * Starts sending changes.
	 * @param perSecond the number of changes a second; 0 to stop
	 */
	void rate(int perSecond) {
		call("/bench/rate?perSecond=" + perSecond);
	}

	/**
	 * Returns the number of sent changes.
	 * @return the number
	 */
	long sent() {
		return Long.parseLong(call("/bench/sent"));
	}

	/**
	 * Ends the watch, and from now on rejects its version with HTTP 410. The next watch
	 * begins with a change of one pod.
	 */
	void expire() {
		call("/bench/expire");
	}

	/**
	 * Returns the time at which the list after the expiry was requested.
	 * @return the value of {@link System#nanoTime()}
	 */
	long listed() {
		return Long.parseLong(call("/bench/listed"));
	}

	/**
	 * Returns whether a watch is open that has sent everything.
	 * @return {@code true} if changes would be sent at once
	 */
	boolean isWatched() {
		return Boolean.parseBoolean(call("/bench/watched"));
	}

	/**
	 * Returns the time at which the last change was due.
	 * @return the value of {@link System#nanoTime()}; 0 if there was none
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
