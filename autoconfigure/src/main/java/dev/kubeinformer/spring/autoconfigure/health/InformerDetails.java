package dev.kubeinformer.spring.autoconfigure.health;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.health.contributor.Health;

import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerError;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.types.InformerState;

/**
 * Writes health details of an informer, its handler or a reconciler, but never contents
 * of objects.
 *
 * @param health the builder to which details are added
 */
record InformerDetails(Health.Builder health) {

	/**
	 * Time after which the details show an event in progress.
	 */
	private static final Duration LONG = Duration.ofSeconds(1);

	void source(InformerSpec<?> spec, Collection<String> namespaces) {
		put("resource", spec.type().name());
		put("namespaces", namespaces.isEmpty() ? List.of("*") : List.copyOf(namespaces));
	}

	void synced(boolean synced, @Nullable Instant syncedAt) {
		put("synced", synced);
		put("syncedAt", text(syncedAt));
	}

	void handler(HandlerStatus status) {
		put("queueSize", status.queue().size());
		if (!status.sync().synced() && status.sync().pendingInitial() > 0) {
			put("pendingInitial", status.sync().pendingInitial());
		}
		if (status.deliveries().failed() > 0) {
			put("failed", status.deliveries().failed());
		}
		HandlerStatus.Handling handling = status.handling();
		if (handling != null && Duration.between(handling.since(), Instant.now()).compareTo(LONG) > 0) {
			put("handling", Map.of("object", handling.key(), "since", handling.since().toString()));
		}
		HandlerStatus.Failure failure = status.lastError();
		if (failure != null) {
			put("lastFailure",
					Map.of("at", failure.at().toString(), "exception", failure.exception(), "object", failure.key()));
		}
	}

	void informer(Informer<?> informer, InformerStatus status) {
		put("cacheSize", status.cache().size());
		if (status.metadata() != null) {
			put("metadata", status.metadata().name());
		}
		shard(status.sharding());
		put("state", status.state().name());
		put("since", text(status.since()));
		put("staleSince", text(status.cache().staleSince()));
		put("lastEventAge", age(status.watch().lastEventAt()));
		if (status.cache().quarantined() > 0) {
			put("quarantined", status.cache().quarantined());
			put("quarantinedObjects", new TreeMap<>(informer.quarantined().problems()));
		}
		if (status.state() != InformerState.LIVE || status.cache().quarantined() > 0) {
			put("error", error(status.lastError()));
		}
		putAny("requiredRbac", status.requiredRbac().stream().map(RequiredRbac::toString).toList());
	}

	void shard(InformerStatus.@Nullable Sharding sharding) {
		if (sharding == null) {
			return;
		}
		Object held = (sharding.shard() != null) ? sharding.shard() : sharding.slots();
		put("shard", (held != null) ? held.toString() : null);
		if (sharding.mode() != null) {
			put("shardMode", sharding.mode().name());
		}
	}

	void put(String name, @Nullable Object value) {
		if (value != null) {
			this.health.withDetail(name, value);
		}
	}

	void putAny(String name, Collection<?> values) {
		put(name, values.isEmpty() ? null : values);
	}

	private static @Nullable String text(@Nullable Instant instant) {
		return (instant != null) ? instant.toString() : null;
	}

	static String text(Duration duration) {
		return DurationStyle.SIMPLE.print(duration, ChronoUnit.SECONDS);
	}

	private static @Nullable String age(@Nullable Instant instant) {
		return (instant != null) ? text(Duration.between(instant, Instant.now())) : null;
	}

	static @Nullable Map<String, Object> error(@Nullable InformerError error) {
		if (error == null) {
			return null;
		}
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("at", error.at().toString());
		details.put("verb", error.verb());
		details.put("reason", error.reason());
		if (error.httpStatus() != null) {
			// Omit the message of the API server, because it may quote an object.
			details.put("httpStatus", error.httpStatus());
		}
		else {
			details.put("message", error.message());
		}
		if (error.advice() != null) {
			details.put("advice", error.advice());
		}
		return details;
	}

}
