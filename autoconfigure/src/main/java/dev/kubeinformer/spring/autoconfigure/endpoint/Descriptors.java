package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.ResolvableType;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerError;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.settings.InformerIds;
import dev.kubeinformer.spring.settings.ShownText;
import dev.kubeinformer.spring.shard.SlotRanges;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.Slots;

/**
 * Creates descriptions of the current informers and handlers.
 */
final class Descriptors {

	private static final Duration LONGEST = Duration.ofMillis(Long.MAX_VALUE);

	private Descriptors() {
	}

	static InformerDescriptor informer(ClusterContents.Content<Informer<?>> content) {
		Informer<?> informer = content.value();
		InformerStatus status = informer.status();
		return new InformerDescriptor(informer.id(), content.cluster(), spec(informer), status.state().name(),
				status.since().toString(), text(status.cache().staleSince()), status.sync().synced(),
				text(status.sync().syncedAt()),
				status.cache().resourceVersion().isEmpty() ? null : ShownText.of(status.cache().resourceVersion()),
				status.cache().size(), status.lists().total(), relists(status), byName(status.watch().restarts()),
				status.lists().regressions(), status.cache().quarantined(), text(status.watch().lastEventAt()),
				age(status.watch().lastEventAt()), failure(status.lastError()),
				status.requiredRbac().stream().map(RequiredRbac::toString).toList(), name(status.encoding()),
				name(status.metadata()), shard(status.sharding()),
				informer.handlers().stream().map(HandlerRegistration::id).toList());
	}

	private static @Nullable String name(@Nullable Enum<?> value) {
		return (value != null) ? value.name() : null;
	}

	private static InformerDescriptor.@Nullable Shard shard(InformerStatus.@Nullable Sharding sharding) {
		if (sharding == null) {
			return null;
		}
		Shard shard = sharding.shard();
		if (shard != null) {
			return new InformerDescriptor.Shard(shard.key().name(), shard.index(), shard.total(), name(sharding.mode()),
					sharding.foreign(), null, null);
		}
		Slots slots = sharding.slots();
		return (slots != null)
				? new InformerDescriptor.Shard(slots.key().name(), null, slots.total(), name(sharding.mode()),
						sharding.foreign(), SlotRanges.of(sharding.held()), SlotRanges.of(sharding.listed()))
				: null;
	}

	private static Map<String, Long> relists(InformerStatus status) {
		Map<String, Long> relists = byName(status.lists().byReason());
		relists.remove(ListReason.INITIAL.name());
		return relists;
	}

	private static <R extends Enum<R>> Map<String, Long> byName(Map<R, Long> numbers) {
		Map<String, Long> byName = new TreeMap<>();
		numbers.forEach((reason, number) -> byName.put(reason.name(), number));
		return byName;
	}

	private static InformerDescriptor.Spec spec(Informer<?> informer) {
		InformerSpec<?> spec = informer.spec();
		// Use the current namespaces, which may differ from those of the spec.
		List<String> namespaces = informer.namespaces().isEmpty() ? List.of("*") : List.copyOf(informer.namespaces());
		String kind = spec.type().kind();
		return new InformerDescriptor.Spec(spec.type().name(), spec.type().apiVersion(), kind.isEmpty() ? null : kind,
				namespaces, spec.labelSelector(), spec.fieldSelector(), spec.type().isMetadata());
	}

	private static InformerDescriptor.@Nullable Failure failure(@Nullable InformerError error) {
		if (error == null) {
			return null;
		}
		return new InformerDescriptor.Failure(error.at().toString(), error.verb(), error.httpStatus(), error.reason(),
				(error.httpStatus() != null) ? null : error.message(), error.advice());
	}

	static HandlerDescriptor handler(ClusterContents.Content<InformerHandlerContainer> content) {
		InformerHandlerContainer handler = content.value();
		HandlerOptions options = handler.options();
		HandlerStatus status = handler.status();
		return new HandlerDescriptor(handler.id(), content.cluster(), handler.beanName(), methods(handler),
				InformerIds.qualified(handler.cluster(), handler.spec().id()), handler.spec().type().name(),
				state(handler, status), handler.isAutoStartup(), handler.isReadiness(), handler.isLeaderOnly(),
				handler.isStandby(), handler.hasSynced(), text(status.sync().syncedAt()),
				status.sync().pendingInitial(), handler.awaiting(), text(options.resync()), options.concurrency(),
				options.queueCapacity(), status.queue().size(), status.deliveries().processed(),
				status.deliveries().failed(), status.deliveries().retries(), status.deliveries().exhausted(),
				status.queue().merged(), status.queue().waitingForRetry(), status.queue().dropped(),
				handling(status.handling()), failure(status.lastError()));
	}

	private static HandlerDescriptor.State state(InformerHandlerContainer handler, HandlerStatus status) {
		if (!handler.isRunning()) {
			return HandlerDescriptor.State.STOPPED;
		}
		return status.paused() ? HandlerDescriptor.State.PAUSED : HandlerDescriptor.State.RUNNING;
	}

	private static HandlerDescriptor.@Nullable Handling handling(HandlerStatus.@Nullable Handling handling) {
		return (handling != null) ? new HandlerDescriptor.Handling(handling.since().toString(), handling.key()) : null;
	}

	private static HandlerDescriptor.@Nullable Failure failure(HandlerStatus.@Nullable Failure failure) {
		return (failure != null)
				? new HandlerDescriptor.Failure(failure.at().toString(), failure.exception(), failure.key()) : null;
	}

	private static Map<String, String> methods(InformerHandlerContainer handler) {
		Map<String, String> methods = new LinkedHashMap<>();
		handler.methods().forEach((event, method) -> methods.put(event.name(), signature(method)));
		return methods;
	}

	private static String signature(Method method) {
		String parameters = IntStream.range(0, method.getParameterCount())
			.mapToObj((index) -> simpleName(ResolvableType.forMethodParameter(method, index)))
			.collect(Collectors.joining(", "));
		return "%s.%s(%s)".formatted(method.getDeclaringClass().getName(), method.getName(), parameters);
	}

	private static String simpleName(ResolvableType type) {
		String name = type.toClass().getSimpleName();
		return type.hasGenerics() ? Stream.of(type.getGenerics())
			.map(Descriptors::simpleName)
			.collect(Collectors.joining(", ", name + "<", ">")) : name;
	}

	private static @Nullable String text(@Nullable Instant instant) {
		return (instant != null) ? instant.toString() : null;
	}

	private static @Nullable String age(@Nullable Instant instant) {
		return (instant != null) ? seconds(Duration.between(instant, Instant.now())) : null;
	}

	static String seconds(Duration duration) {
		return DurationStyle.SIMPLE.print(duration, ChronoUnit.SECONDS);
	}

	/**
	 * Returns a duration in the format of the configuration.
	 * @param duration the duration
	 * @return the text, such as {@code 10m}
	 */
	static String text(Duration duration) {
		if (duration.compareTo(LONGEST) > 0) {
			// A program may set a duration that does not fit into milliseconds.
			return "forever";
		}
		for (ChronoUnit unit : List.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES, ChronoUnit.SECONDS)) {
			if (!duration.isZero() && duration.toMillis() % unit.getDuration().toMillis() == 0) {
				return DurationStyle.SIMPLE.print(duration, unit);
			}
		}
		return DurationStyle.SIMPLE.print(duration, duration.isZero() ? ChronoUnit.SECONDS : ChronoUnit.MILLIS);
	}

}
