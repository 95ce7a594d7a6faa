package dev.kubeinformer.test.internal.scripted;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.http.Connections;
import dev.kubeinformer.test.internal.http.Exchange;
import dev.kubeinformer.test.internal.resource.ResourceTypes;

/**
 * Response to one request: a sequence of steps, which can be extended while it is
 * executed. Thread-safe.
 */
public final class Script {

	private final Map<String, String> headers = new LinkedHashMap<>();

	private final Queue<ReplyStep> steps = new ArrayDeque<>();

	private int code = 200;

	private NoAnswer noAnswer = NoAnswer.NONE;

	private @Nullable ReplyPlayer player;

	public Script() {
		this.headers.put("Content-Type", Exchange.JSON);
	}

	public synchronized void header(String name, String value) {
		this.headers.put(name, value);
	}

	// Adds a complete body and its end.
	public synchronized void body(int status, byte[] body) {
		this.code = status;
		add(new ReplyStep.Write((resource) -> body));
		add(new ReplyStep.End());
	}

	public synchronized void noAnswer(NoAnswer kind) {
		this.noAnswer = kind;
	}

	public synchronized void add(ReplyStep step) {
		this.steps.add(step);
		if (this.player != null) {
			this.player.wake();
		}
	}

	synchronized @Nullable ReplyStep next() {
		return this.steps.poll();
	}

	synchronized void play(Exchange exchange, ResourceTypes types) {
		if (this.noAnswer == NoAnswer.RESET) {
			Connections.lingerNot(exchange.request());
			exchange.cut();
			return;
		}
		if (this.noAnswer == NoAnswer.END) {
			exchange.hangUp();
			return;
		}
		this.player = new ReplyPlayer(exchange, this, types, this.code, this.headers);
		exchange.request().addFailureListener(this.player::abort);
		this.player.wake();
	}

	/**
	 * End of a connection without a response.
	 */
	public enum NoAnswer {

		/**
		 * The connection stays open, and there is a response.
		 */
		NONE,

		/**
		 * The connection is closed in an orderly way.
		 */
		END,

		/**
		 * The connection is reset.
		 */
		RESET

	}

}
