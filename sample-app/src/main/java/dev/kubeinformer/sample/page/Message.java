package dev.kubeinformer.sample.page;

import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter.SseEventBuilder;

/**
 * A message to the page.
 *
 * @param name the name of the event
 * @param id what a browser names as the last that it got, when it connects again;
 * {@code null} for what it can miss
 * @param data what becomes JSON
 */
record Message(String name, @Nullable String id, Object data) {

	SseEventBuilder toEvent() {
		SseEventBuilder event = SseEmitter.event().name(this.name).data(this.data, MediaType.APPLICATION_JSON);
		return (this.id != null) ? event.id(this.id) : event;
	}

}
