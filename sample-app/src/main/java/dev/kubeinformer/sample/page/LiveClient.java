package dev.kubeinformer.sample.page;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Connection of one open page. Messages wait in a bounded queue, so that a slow browser
 * does not block others. The connection uses a thread only while there are messages to
 * write.
 */
final class LiveClient {

	static final int CAPACITY = 1000;

	private final SseEmitter emitter;

	private final Executor executor;

	private final BlockingQueue<Message> waiting = new ArrayBlockingQueue<>(CAPACITY);

	private final AtomicBoolean busy = new AtomicBoolean();

	private volatile boolean ended;

	LiveClient(SseEmitter emitter, Executor executor) {
		this.emitter = emitter;
		this.executor = executor;
	}

	/**
	 * Adds a message to the queue, without waiting for its write.
	 * @param message the message
	 * @return {@code false} if the queue is full
	 */
	boolean offer(Message message) {
		boolean room = this.waiting.offer(message);
		wake();
		return room;
	}

	/**
	 * Ends the response after the current write.
	 */
	void end() {
		this.ended = true;
		this.waiting.clear();
		wake();
	}

	private void wake() {
		if (this.busy.compareAndSet(false, true)) {
			this.executor.execute(this::write);
		}
	}

	private void write() {
		try {
			for (Message next = this.waiting.poll(); next != null && !this.ended; next = this.waiting.poll()) {
				this.emitter.send(next.toEvent());
			}
			if (this.ended) {
				this.emitter.complete();
				return;
			}
		}
		catch (IOException | IllegalStateException ex) {
			// The browser has disconnected. The container notifies the emitter, which
			// then ends.
			return;
		}
		this.busy.set(false);
		if (this.ended || !this.waiting.isEmpty()) {
			wake();
		}
	}

}
