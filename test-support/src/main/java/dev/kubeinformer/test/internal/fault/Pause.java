package dev.kubeinformer.test.internal.fault;

import java.io.EOFException;
import java.time.Duration;
import java.util.concurrent.Executor;

import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.http.Connections;
import dev.kubeinformer.test.internal.http.Exchange;
import dev.kubeinformer.test.internal.http.Timers;

/**
 * Wait of a request that a fault holds, for a time or without a limit. It uses no thread,
 * and ends early when the fault is removed or the connection is closed.
 */
final class Pause implements Held {

	private static final Duration PROBE_PERIOD = Duration.ofMillis(100);

	private final FaultRule rule;

	private final Request request;

	private final Executor executor;

	private final Timers timers;

	private final Runnable then;

	private final Runnable otherwise;

	private final boolean beforeAnswer;

	private boolean over;

	private Pause(FaultRule rule, Request request, Runnable then, Runnable otherwise, boolean beforeAnswer) {
		this.beforeAnswer = beforeAnswer;
		this.rule = rule;
		this.request = request;
		this.executor = request.getComponents().getExecutor();
		Scheduler scheduler = request.getComponents().getScheduler();
		this.timers = new Timers(scheduler);
		this.then = then;
		this.otherwise = otherwise;
	}

	/**
	 * Waits before a request is served.
	 * @param rule the fault
	 * @param exchange the request, which is cut if it cannot continue
	 * @param time the time to wait, or {@code null} to wait until the fault is removed
	 * @param then the action that serves the request
	 */
	static void beforeAnswer(FaultRule rule, Exchange exchange, @Nullable Duration time, Runnable then) {
		Runnable unlessDiscarded = () -> {
			if (rule.isDiscarded()) {
				exchange.cut();
			}
			else {
				then.run();
			}
		};
		new Pause(rule, exchange.request(), unlessDiscarded, exchange::cut, true).begin(time);
	}

	/**
	 * Interrupts a response for a time.
	 * @param rule the fault
	 * @param request the request
	 * @param time the time
	 * @param then the continuation
	 * @param otherwise the action if the connection must be cut instead
	 */
	static void during(FaultRule rule, Request request, Duration time, Runnable then, Runnable otherwise) {
		new Pause(rule, request, then, otherwise, false).begin(time);
	}

	/**
	 * Interrupts a response until the fault is removed.
	 * @param rule the fault
	 * @param request the request
	 * @param then the continuation
	 * @param otherwise the action if the connection must be cut or the client has closed
	 * it
	 */
	static void whileInForce(FaultRule rule, Request request, Runnable then, Runnable otherwise) {
		new Pause(rule, request, then, otherwise, false).begin(null);
	}

	private void begin(@Nullable Duration time) {
		this.rule.hold(this);
		if (time != null) {
			this.timers.after(time, this::goOn);
			return;
		}
		this.request.addFailureListener((cause) -> abort());
		// Probe only requests without a body, because an unread body would look like the
		// end of the connection.
		if (Connections.isHttp1(this.request) && "GET".equals(this.request.getMethod())) {
			this.timers.every(PROBE_PERIOD, this::probe);
		}
	}

	@Override
	public void goOn() {
		if (end()) {
			this.executor.execute(this.then);
		}
	}

	@Override
	public void discard() {
		if (this.beforeAnswer) {
			abort();
		}
		else {
			goOn();
		}
	}

	@Override
	public void abort() {
		if (end()) {
			this.otherwise.run();
		}
	}

	private void probe() {
		if (isGone()) {
			abort();
		}
	}

	private synchronized boolean isGone() {
		if (this.over) {
			return false;
		}
		try {
			Connections.checkOpen(this.request);
			return false;
		}
		catch (EOFException ex) {
			return true;
		}
	}

	private synchronized boolean end() {
		if (this.over) {
			return false;
		}
		this.over = true;
		this.timers.close();
		this.rule.release(this);
		return true;
	}

}
