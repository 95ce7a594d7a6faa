package com.example.namespaceinventory;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Serves the inventory as JSON, and as a stream of server-sent events for the page. Many
 * changes are one message: it is sent twice a second at most.
 */
@RestController
class InventoryController {

	private final Inventory inventory;

	private final Set<SseEmitter> pages = ConcurrentHashMap.newKeySet();

	InventoryController(Inventory inventory) {
		this.inventory = inventory;
	}

	@GetMapping("/inventory")
	SortedMap<String, Map<String, Integer>> inventory() {
		return this.inventory.counts();
	}

	@GetMapping("/inventory/live")
	SseEmitter live() {
		SseEmitter page = new SseEmitter(0L); // without a timeout
		page.onCompletion(() -> this.pages.remove(page));
		this.pages.add(page);
		send(page);
		return page;
	}

	@Scheduled(fixedDelayString = "${inventory.push-every:500ms}")
	void push() {
		if (this.inventory.changedSinceLastCall()) {
			this.pages.forEach(this::send);
		}
	}

	private void send(SseEmitter page) {
		try {
			synchronized (page) { // The last message has the latest state.
				page.send(this.inventory.counts());
			}
		}
		catch (IOException | IllegalStateException ex) {
			this.pages.remove(page); // The reader has gone.
		}
	}

	/**
	 * A graceful shutdown waits for open requests, and these have no end.
	 */
	@EventListener(ContextClosedEvent.class)
	void close() {
		this.pages.forEach(SseEmitter::complete);
	}

}
