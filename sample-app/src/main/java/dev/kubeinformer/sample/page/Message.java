package dev.kubeinformer.sample.page;

import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter.SseEventBuilder;

/**
 * Message to the page.
 *
 * @param name the name of the event
 * @param id the id, which a browser sends when it reconnects if this was its last
 * message; {@code null} for a message that the browser can miss
 * @param data the value, which is serialized as JSON
 */
record Message(String name, @Nullable String id, Object data) {

	SseEventBuilder toEvent() {
		SseEventBuilder event = SseEmitter.event().name(this.name).data(this.data, MediaType.APPLICATION_JSON);
		return (this.id != null) ? event.id(this.id) : event;
	}

}
