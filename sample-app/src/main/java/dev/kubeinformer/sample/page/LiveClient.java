package dev.kubeinformer.sample.page;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * One open page. Messages wait in a bounded queue, so that a browser that does not read
 * holds up nobody; it takes a thread only while there is something to write.
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
	 * Sends a message, without waiting for it.
	 * @param message the message
	 * @return whether there was room for it
	 */
	boolean offer(Message message) {
		boolean room = this.waiting.offer(message);
		wake();
		return room;
	}

	/**
	 * Ends the response once the write that is going on is over.
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
			// The browser went away. The container notifies the emitter, which ends.
			return;
		}
		this.busy.set(false);
		if (this.ended || !this.waiting.isEmpty()) {
			wake();
		}
	}

}
