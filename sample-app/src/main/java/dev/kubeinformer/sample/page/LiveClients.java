package dev.kubeinformer.sample.page;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Connections of the open pages.
 */
@Component
class LiveClients implements AutoCloseable {

	static final int LIMIT = 50;

	private final Set<LiveClient> clients = ConcurrentHashMap.newKeySet();

	private final Executor executor;

	private volatile boolean closing;

	LiveClients() {
		// A write to a browser that does not read blocks until the server's timeout, so
		// it needs its own thread.
		this(Executors.newCachedThreadPool(new CustomizableThreadFactory("page-")));
	}

	LiveClients(Executor executor) {
		this.executor = executor;
	}

	boolean hasRoom() {
		return !this.closing && this.clients.size() < LIMIT;
	}

	SseEmitter add(List<Message> first) {
		SseEmitter emitter = new SseEmitter(0L);
		LiveClient client = new LiveClient(emitter, this.executor);
		emitter.onCompletion(() -> this.clients.remove(client));
		first.forEach(client::offer);
		this.clients.add(client);
		if (this.closing) {
			// The page was admitted before the end began.
			client.end();
		}
		return emitter;
	}

	void send(Message message) {
		for (LiveClient client : this.clients) {
			if (!client.offer(message)) {
				this.clients.remove(client);
				client.end();
			}
		}
	}

	/**
	 * Sends a heartbeat, because only a write detects that a browser has disconnected.
	 */
	@Scheduled(fixedDelayString = "${sample.page.beat:10s}")
	void beat() {
		send(new Message("beat", null, List.of()));
	}

	int size() {
		return this.clients.size();
	}

	/**
	 * Ends all responses before the web server waits for them.
	 */
	@EventListener(ContextClosedEvent.class)
	void end() {
		this.closing = true;
		endAll();
	}

	void endAll() {
		this.clients.forEach(LiveClient::end);
	}

	@Override
	public void close() {
		if (this.executor instanceof ExecutorService service) {
			service.shutdownNow();
		}
	}

}
