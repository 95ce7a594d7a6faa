package dev.kubeinformer.benchmark.large;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.kubernetes.client.openapi.models.V1Secret;

import dev.kubeinformer.benchmark.custom.Widget;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * The embedded API with pods, secrets and custom objects, all of which have a marker in
 * what is not metadata. Serves until its standard input ends.
 */
public final class MarkedApi {

	/** How many of each type. */
	static final int OBJECTS = 1000;

	/** The types. */
	static final List<Class<? extends KubernetesObject>> TYPES = List.of(V1Pod.class, V1Secret.class, Widget.class);

	private MarkedApi() {
	}

	/**
	 * The marker, backwards, so that who looks for it does not have it.
	 * @return its reverse
	 */
	static String marker() {
		return "tsil-reven-ot-rekram";
	}

	/**
	 * The marker as JSON has it in the data of a secret, backwards.
	 * @return its reverse in Base64, without the end
	 */
	static String markerOfData() {
		return "pxWLyVmdl5WLvRXLyV2ayFWb";
	}

	/**
	 * The beginning of the names of the objects, backwards.
	 * @return its reverse
	 */
	static String name() {
		return "-eht-eb-dluohs-taht";
	}

	/**
	 * Serves; the first line that it writes is its URL.
	 * @param args none
	 * @throws IOException if its input cannot be read
	 */
	public static void main(String... args) throws IOException {
		String marker = new StringBuilder(marker()).reverse().toString();
		String prefix = new StringBuilder(name()).reverse().toString();
		try (EmbeddedKubernetes api = EmbeddedKubernetes.builder().protobuf(true).namespacesMustExist(false).start()) {
			api.serve("bench.example.com", "v1", "widgets", "Widget", true);
			for (int i = 0; i < OBJECTS; i++) {
				V1ObjectMeta metadata = new V1ObjectMeta().namespace("web").name(prefix + i);
				api.resources(V1Pod.class)
					.create(new V1Pod().metadata(metadata)
						.spec(new V1PodSpec().addContainersItem(new V1Container().name("c").image(marker + i)))
						.status(new V1PodStatus().message(marker + i)));
				api.resources(V1Secret.class)
					.create(new V1Secret().metadata(metadata)
						.data(Map.of("secret", (marker + i).getBytes(StandardCharsets.US_ASCII)))
						.type(marker));
				api.resources(Widget.class, "bench.example.com", "v1", "widgets").create(widget(metadata, marker + i));
			}
			System.out.println(api.url());
			while (System.in.read() >= 0) {
				// Nothing is expected but its end.
			}
		}
	}

	private static Widget widget(V1ObjectMeta metadata, String marker) {
		Widget widget = JSON.deserialize(
				"{\"spec\":{\"application\":\"%1$s\",\"settings\":{\"key\":\"%1$s\"}},\"status\":{\"phase\":\"%1$s\"}}"
					.formatted(marker),
				Widget.class);
		widget.setApiVersion("bench.example.com/v1");
		widget.setKind("Widget");
		widget.setMetadata(metadata);
		return widget;
	}

	/**
	 * The server in a process of its own.
	 */
	static final class Remote implements AutoCloseable {

		private final Process process;

		private final String url;

		Remote() throws IOException {
			this.process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
					"-Xmx256m", "-cp", System.getProperty("java.class.path"), MarkedApi.class.getName())
				.redirectError(ProcessBuilder.Redirect.INHERIT)
				.start();
			BufferedReader output = this.process.inputReader();
			String line = output.readLine();
			while (line != null && !line.startsWith("http")) {
				line = output.readLine();
			}
			this.url = String.valueOf(line);
		}

		String url() {
			return this.url;
		}

		@Override
		public void close() {
			this.process.destroy();
			this.process.onExit().join();
		}

	}

}
