package com.example.crashloopalerts;

import java.time.Duration;
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
		V1PodStatus status = Objects.requireNonNullElseGet(pod.getStatus(), V1PodStatus::new);
		Map<String, String> reported = Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of());
		return Stream.of(status.getInitContainerStatuses(), status.getContainerStatuses())
			.filter(Objects::nonNull)
			.flatMap(Collection::stream)
			.filter(CrashLoop::isLooping)
			.filter((container) -> isNew(container, reported.get(annotation(container.getName()))))
			.map((container) -> of(pod, container))
			.toList();
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
	 * A loop goes on while the container fails soon after each start. It is another loop
	 * if the container ran long enough after the restart that was reported.
	 */
	private static boolean isNew(V1ContainerStatus container, String reported) {
		return reported == null || (!reported.equals(String.valueOf(container.getRestartCount()))
				&& lastRun(container).filter(CrashLoop::ranLong).isPresent());
	}

	private static boolean ranLong(V1ContainerStateTerminated run) {
		return run.getStartedAt() != null && run.getFinishedAt() != null
				&& Duration.between(run.getStartedAt(), run.getFinishedAt()).compareTo(RECOVERED) >= 0;
	}

	private static Optional<V1ContainerStateTerminated> lastRun(V1ContainerStatus container) {
		return Optional.ofNullable(container.getLastState()).map(V1ContainerState::getTerminated);
	}

	/**
	 * Returns the name of the annotation, whose value is the number of restarts.
	 */
	String annotation() {
		return annotation(this.container);
	}

	private static String annotation(String container) {
		return "crash-loop.example.com/" + container;
	}

}
