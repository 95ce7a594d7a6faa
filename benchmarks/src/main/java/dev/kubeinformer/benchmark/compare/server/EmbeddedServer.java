package dev.kubeinformer.benchmark.compare.server;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;

import dev.kubeinformer.benchmark.compare.Resource;
import dev.kubeinformer.benchmark.custom.Widget;
import dev.kubeinformer.benchmark.custom.Widgets;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.ApiUser;
import dev.kubeinformer.test.EmbeddedKubernetes;

/** Embedded API filled with objects. */
public final class EmbeddedServer {

	private static final int NAMESPACES = 20;

	/** Time between two changes. */
	private static final Duration PAUSE = Duration.ofMillis(3);

	private EmbeddedServer() {
	}

	/**
	 * Serves until its input ends.
	 * @param arguments the resource, the number of objects, whether they are diverse, the
	 * path for a kubeconfig of this server, and optionally {@code training}: TLS, a
	 * token, and changes all the time
	 * @throws IOException if its input cannot be read
	 */
	public static void main(String... arguments) throws IOException {
		int objects = Integer.parseInt(arguments[1]);
		boolean diverse = Boolean.parseBoolean(arguments[2]);
		boolean training = arguments.length > 4;
		EmbeddedKubernetes.Builder builder = EmbeddedKubernetes.builder();
		if (training) {
			builder.tls().protobuf(true).user("training", "training-token", ApiUser::allowAll);
		}
		try (EmbeddedKubernetes api = builder.start()) {
			ApiResources<? extends KubernetesObject> filled = switch (Resource.valueOf(arguments[0])) {
				case PODS -> pods(api, objects, diverse);
				case WIDGETS -> widgets(api, objects, diverse);
			};
			api.writeKubeconfig(Path.of(arguments[3]));
			if (training) {
				Thread changes = new Thread(() -> change(filled), "changes");
				changes.setDaemon(true);
				changes.start();
			}
			System.out.println("READY " + api.url());
			while (System.in.read() >= 0) {
				// The parent process only closes the input.
			}
		}
	}

	private static ApiResources<V1Pod> pods(EmbeddedKubernetes api, int objects, boolean diverse) {
		ApiResources<V1Pod> resources = api.resources(V1Pod.class);
		resources.fill(objects, new BenchmarkPods(diverse)::pod);
		return resources;
	}

	private static ApiResources<Widget> widgets(EmbeddedKubernetes api, int objects, boolean diverse) {
		api.serve("bench.example.com", "v1", "widgets", "Widget", true);
		Widgets widgets = new Widgets(NAMESPACES, diverse);
		ApiResources<Widget> resources = api.resources(Widget.class, "bench.example.com", "v1", "widgets");
		resources.fill(objects, (number) -> JSON.deserialize(widgets.json(number), Widget.class));
		return resources;
	}

	private static <T extends KubernetesObject> void change(ApiResources<T> resources) {
		List<V1ObjectMeta> all = resources.list().stream().map(KubernetesObject::getMetadata).toList();
		for (int i = 0; true; i = (i + 1) % all.size()) {
			String value = Integer.toString(i);
			resources.edit(all.get(i).getNamespace(), all.get(i).getName(),
					(object) -> object.getMetadata().putAnnotationsItem("changed", value));
			LockSupport.parkNanos(PAUSE.toNanos());
		}
	}

}
