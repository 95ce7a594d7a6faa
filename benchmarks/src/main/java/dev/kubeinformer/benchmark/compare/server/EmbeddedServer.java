package dev.kubeinformer.benchmark.compare.server;

import java.io.IOException;
import java.nio.file.Path;

import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1Pod;

import dev.kubeinformer.benchmark.compare.Resource;
import dev.kubeinformer.benchmark.custom.Widget;
import dev.kubeinformer.benchmark.custom.Widgets;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * The embedded API, filled with objects.
 */
public final class EmbeddedServer {

	private static final int NAMESPACES = 20;

	private EmbeddedServer() {
	}

	/**
	 * Serves until its input ends.
	 * @param arguments the resource, how many objects, whether they are diverse, and the
	 * file to write a kubeconfig of this server to
	 * @throws IOException if its input cannot be read
	 */
	public static void main(String... arguments) throws IOException {
		Resource resource = Resource.valueOf(arguments[0]);
		int objects = Integer.parseInt(arguments[1]);
		boolean diverse = Boolean.parseBoolean(arguments[2]);
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start()) {
			switch (resource) {
				case PODS -> api.resources(V1Pod.class).fill(objects, new BenchmarkPods(diverse)::pod);
				case WIDGETS -> widgets(api, objects, new Widgets(NAMESPACES, diverse));
			}
			api.writeKubeconfig(Path.of(arguments[3]));
			System.out.println("READY " + api.url());
			while (System.in.read() >= 0) {
				// whoever started it has nothing to say but the end
			}
		}
	}

	private static void widgets(EmbeddedKubernetes api, int objects, Widgets widgets) {
		api.serve("bench.example.com", "v1", "widgets", "Widget", true);
		JSON json = new JSON();
		api.resources(Widget.class, "bench.example.com", "v1", "widgets")
			.fill(objects, (number) -> json.deserialize(widgets.json(number), Widget.class));
	}

}
