package com.example.crashloopalerts;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1ContainerState;
import io.kubernetes.client.openapi.models.V1ContainerStateTerminated;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;

/**
 * Crash loop of a container, as the webhook gets it in JSON.
 *
 * @param namespace the namespace of the pod
 * @param pod the name of the pod
 * @param container the name of the container
 * @param restarts the number of restarts up to now
 * @param exitCode the last exit code; {@code null} if the kubelet does not report it
 */
record CrashLoop(String namespace, String pod, String container, int restarts, Integer exitCode) {

	/** The kubelet forgets the crashes of a container that ran for this long. */
	private static final Duration RECOVERED = Duration.ofMinutes(10);

	/**
	 * Returns the crash loops of a pod that no annotation names yet.
	 */
	static List<CrashLoop> newLoopsOf(V1Pod pod) {
		return containersOf(pod).filter(CrashLoop::isLooping)
			.filter((container) -> !isReported(pod, container.getName()))
			.map((container) -> of(pod, container))
			.toList();
	}

	/**
	 * Returns the names of the containers whose next crash loop is another one.
	 */
	static List<String> recoveredContainersOf(V1Pod pod, OffsetDateTime now) {
		return containersOf(pod).filter((container) -> isRecovered(container, now))
			.map(V1ContainerStatus::getName)
			.toList();
	}

	/**
	 * Returns whether an annotation of the pod names a crash loop of the container.
	 */
	static boolean isReported(V1Pod pod, String container) {
		Map<String, String> annotations = pod.getMetadata().getAnnotations();
		return annotations != null && annotations.containsKey(annotation(container));
	}

	private static Stream<V1ContainerStatus> containersOf(V1Pod pod) {
		V1PodStatus status = Objects.requireNonNullElseGet(pod.getStatus(), V1PodStatus::new);
		return Stream.of(status.getInitContainerStatuses(), status.getContainerStatuses())
			.filter(Objects::nonNull)
			.flatMap(Collection::stream);
	}

	private static CrashLoop of(V1Pod pod, V1ContainerStatus container) {
		Integer exitCode = lastRun(container).map(V1ContainerStateTerminated::getExitCode).orElse(null);
		return new CrashLoop(pod.getMetadata().getNamespace(), pod.getMetadata().getName(), container.getName(),
				container.getRestartCount(), exitCode);
	}

	private static boolean isLooping(V1ContainerStatus container) {
		V1ContainerState state = container.getState();
		return state != null && state.getWaiting() != null && "CrashLoopBackOff".equals(state.getWaiting().getReason());
	}

	/**
	 * A loop goes on while the container fails soon after each start. After a long run
	 * the kubelet restarts the container at once, without a CrashLoopBackOff, so the run
	 * itself is looked at: the present one, or the last one if it ended between two
	 * resyncs.
	 */
	private static boolean isRecovered(V1ContainerStatus container, OffsetDateTime now) {
		V1ContainerState state = container.getState();
		return state != null && state.getRunning() != null && (isLong(state.getRunning().getStartedAt(), now)
				|| lastRun(container).filter((run) -> isLong(run.getStartedAt(), run.getFinishedAt())).isPresent());
	}

	private static boolean isLong(OffsetDateTime start, OffsetDateTime end) {
		return start != null && end != null && Duration.between(start, end).compareTo(RECOVERED) >= 0;
	}

	private static Optional<V1ContainerStateTerminated> lastRun(V1ContainerStatus container) {
		return Optional.ofNullable(container.getLastState()).map(V1ContainerState::getTerminated);
	}

	/**
	 * Returns the name of the annotation, whose value is the number of restarts.
	 */
	static String annotation(String container) {
		return "crash-loop.example.com/" + container;
	}

}
