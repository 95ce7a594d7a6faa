package dev.kubeinformer.client.table;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/** Contacts of servers and proxies with one client. Safe for use by several threads. */
final class Contacts {

	private final AtomicInteger connections = new AtomicInteger();

	private final List<Answer> answers = new ArrayList<>();

	private final List<String> proxies = new ArrayList<>();

	void connected() {
		this.connections.incrementAndGet();
	}

	synchronized void answered(Answer answer) {
		this.answers.add(answer);
	}

	synchronized void passed(String proxy) {
		this.proxies.add(proxy);
	}

	synchronized void reset() {
		this.connections.set(0);
		this.answers.clear();
		this.proxies.clear();
	}

	boolean any() {
		return this.connections.get() > 0;
	}

	/**
	 * Returns the last answer.
	 * @return the answer; {@code null} if no request arrived
	 */
	synchronized @Nullable Answer last() {
		return this.answers.isEmpty() ? null : this.answers.get(this.answers.size() - 1);
	}

	/**
	 * Returns the proxy of the last connection through one.
	 * @return the kind of proxy; {@code null} if there was none
	 */
	synchronized @Nullable String lastProxy() {
		return this.proxies.isEmpty() ? null : this.proxies.get(this.proxies.size() - 1);
	}

	/**
	 * Answer of a server.
	 *
	 * @param status the status
	 * @param user the user
	 * @param serverName the name in SNI; {@code null} for none
	 */
	record Answer(int status, String user, @Nullable String serverName) {

	}

}
