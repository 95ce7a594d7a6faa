package dev.kubeinformer.internal.events;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.EventsV1EventSeries;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ObjectReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.controller.PatchFormat;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Reconciliation.EventType;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.events.EventSeries.Sending;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.transport.ApiWrites;
import dev.kubeinformer.internal.transport.ApiWrites.Caller;
import dev.kubeinformer.internal.transport.RunCalls;
import dev.kubeinformer.leader.LeadershipLostException;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Problem;
import dev.kubeinformer.types.WriteFailedException;

/**
 * Sends events to the API server, as {@code events.k8s.io/v1}. If equal events follow
 * each other, the first event is created, and later events only increase the count of its
 * series.
 */
public final class ApiEventRecorder implements EventRecorder {

	private static final Logger logger = LoggerFactory.getLogger(Reconciliation.class);

	private static final int LONGEST_REASON = 128;

	private static final int LONGEST_INSTANCE = 128;

	/** Maximum length of a note in bytes. */
	private static final int LONGEST_NOTE = 1024;

	private static final int LONGEST_OBJECT_NAME = 230;

	private static final String ACTION = "Reconcile";

	private final ApiWrites writes;

	private final ModelJson json;

	private final Reporter reporter;

	private final Clock clock;

	private final EventSeries series;

	private final EventPauses pauses;

	/**
	 * Creates a recorder.
	 * @param writes sends the requests
	 * @param json writes the events
	 * @param reporter the reporter of the events
	 * @param clock the wall clock for the times of events
	 * @param nanoTime the monotonic clock
	 */
	public ApiEventRecorder(ApiWrites writes, ModelJson json, Reporter reporter, Clock clock, LongSupplier nanoTime) {
		this.writes = writes;
		this.json = json;
		this.reporter = reporter;
		this.clock = clock;
		this.series = new EventSeries(nanoTime);
		this.pauses = new EventPauses(nanoTime);
	}

	@Override
	public void report(KubernetesObject regarding, EventType type, String reason, String note, RunCalls calls) {
		V1ObjectMeta metadata = Objects.requireNonNullElseGet(regarding.getMetadata(), V1ObjectMeta::new);
		if (this.pauses.isPaused(namespace(metadata))) {
			return;
		}
		EventSeries.Key key = new EventSeries.Key(Objects.requireNonNullElse(metadata.getUid(), ""), type,
				cut(reason, LONGEST_REASON), cut(note, LONGEST_NOTE));
		Sending sending = this.series.next(key, () -> name(metadata));
		Caller caller = new Caller(this.reporter.fieldManager(), calls);
		try {
			send(regarding, metadata, sending, caller);
		}
		catch (ApiException ex) {
			this.series.failed(sending);
			failed(ex, namespace(metadata), calls);
		}
		catch (LeadershipLostException ex) {
			this.series.failed(sending);
			throw ex;
		}
		catch (RuntimeException ex) {
			// The failure of an event must not become a failure of the run.
			this.series.failed(sending);
			warn(ex.getClass().getName(), ex.getClass().getName());
		}
	}

	private void send(KubernetesObject regarding, V1ObjectMeta metadata, Sending sending, Caller caller)
			throws ApiException {
		if (sending.count() == 0) {
			return;
		}
		ResourceType<EventsV1Event> events = ResourceType.of(EventsV1Event.class);
		String namespace = namespace(metadata);
		if (sending.count() > 1) {
			byte[] patch = this.json
				.write(Map.of("series", this.json.tree(new EventsV1EventSeries().count(sending.count())
					.lastObservedTime(OffsetDateTime.now(this.clock)))));
			this.writes.patch(events, new ObjectKey(namespace, sending.name()), PatchFormat.MERGE.mediaType(), patch,
					caller);
			return;
		}
		EventsV1Event event = new EventsV1Event().apiVersion(events.apiVersion())
			.kind(events.kind())
			.metadata(new V1ObjectMeta().namespace(namespace).name(sending.name()))
			.eventTime(OffsetDateTime.now(this.clock))
			.type((sending.key().type() == EventType.WARNING) ? "Warning" : "Normal")
			.reason(sending.key().reason())
			.action(ACTION)
			.note(sending.key().note())
			.reportingController(this.reporter.controller())
			.reportingInstance(cut(this.reporter.instance(), LONGEST_INSTANCE))
			.regarding(reference(regarding, metadata));
		this.writes.create(events, namespace, this.json.write(this.json.tree(event)), caller);
	}

	private static String namespace(V1ObjectMeta metadata) {
		return Objects.requireNonNullElse(metadata.getNamespace(), "default");
	}

	private static V1ObjectReference reference(KubernetesObject regarding, V1ObjectMeta metadata) {
		return new V1ObjectReference().apiVersion(regarding.getApiVersion())
			.kind(regarding.getKind())
			.namespace(metadata.getNamespace())
			.name(metadata.getName())
			.uid(metadata.getUid())
			.resourceVersion(metadata.getResourceVersion());
	}

	private String name(V1ObjectMeta metadata) {
		// The names are formed as in client-go.
		String name = Objects.requireNonNullElse(metadata.getName(), "");
		long nanos = this.clock.instant().getEpochSecond() * 1_000_000_000L + this.clock.instant().getNano();
		return "%s.%x".formatted(cut(name, LONGEST_OBJECT_NAME), nanos + this.series.number());
	}

	private void failed(ApiException ex, String namespace, RunCalls calls) {
		if (calls.isCancelled()) {
			return;
		}
		Failure failure = this.writes.failure(ex);
		String said = String.valueOf(ex.getMessage());
		if (failure.isTerminatingNamespace()) {
			// No retry can succeed (as in client-go, tools/record/event.go).
			logger.debug("Reconciler '{}' could not report an event: {}", this.reporter.name(), said);
		}
		else if (failure.isMissingRight()) {
			this.pauses.pause(namespace);
			missingRight(namespace, said);
		}
		else {
			List<String> fields = (ex instanceof WriteFailedException refusal) ? refusal.getWrite().fields()
					: List.of();
			warn(failure.problem().name() + fields, said);
		}
	}

	private void missingRight(String namespace, String said) {
		if (this.pauses.isNew(Problem.FORBIDDEN + " " + namespace)) {
			logger.warn(
					"Reconciler '{}' may not report events in namespace '{}': {}. Create and patch on 'events' of 'events.k8s.io' are needed there; it tries again every ten minutes, and logs that at debug level only for a day",
					this.reporter.name(), namespace, said);
		}
		else {
			logger.debug("Reconciler '{}' may not report events in namespace '{}': {}", this.reporter.name(), namespace,
					said);
		}
	}

	private void warn(String kind, String said) {
		if (this.pauses.isNew(kind)) {
			logger.warn(
					"Reconciler '{}' could not report an event: {}. The next failures of this kind are logged at debug level only, for a day",
					this.reporter.name(), said);
		}
		else {
			logger.debug("Reconciler '{}' could not report an event: {}", this.reporter.name(), said);
		}
	}

	private static String cut(String text, int bytes) {
		String result = text;
		while (result.getBytes(StandardCharsets.UTF_8).length > bytes) {
			int over = result.getBytes(StandardCharsets.UTF_8).length - bytes;
			int end = Math.max(0, result.length() - Math.max(1, over / 3));
			// Do not cut in the middle of a character.
			result = result.substring(0,
					(end > 0 && Character.isHighSurrogate(result.charAt(end - 1))) ? end - 1 : end);
		}
		return result;
	}

	/**
	 * Reporter of events.
	 *
	 * @param name the name of the reconciler in the log
	 * @param controller the id of the reconciler in events
	 * @param instance the name of the process in events, for example the name of its pod
	 * @param fieldManager the field manager of the events
	 */
	public record Reporter(String name, String controller, String instance, String fieldManager) {

	}

}
