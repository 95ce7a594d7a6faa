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
 * Embedded API with pods, secrets and custom objects, all of which contain a marker
 * outside of their metadata. Serves until its standard input ends.
 */
public final class MarkedApi {

	/** Number of objects of each type. */
	static final int OBJECTS = 1000;

	/** Types of the objects. */
	static final List<Class<? extends KubernetesObject>> TYPES = List.of(V1Pod.class, V1Secret.class, Widget.class);

	private MarkedApi() {
	}

	/**
	 * Returns the reversed marker, so that a program that searches for the marker does
	 * not contain it.
	 * @return the reversed marker
	 */
	static String marker() {
		return "tsil-reven-ot-rekram";
	}

	/**
	 * Returns the reversed marker in the form that it has in the data of a secret in
	 * JSON.
	 * @return the reversed Base64 text without its end
	 */
	static String markerOfData() {
		return "pxWLyVmdl5WLvRXLyV2ayFWb";
	}

	/**
	 * Returns the reversed beginning of the objects' names.
	 * @return the reversed text
	 */
	static String name() {
		return "-eht-eb-dluohs-taht";
	}

	/**
	 * Serves; its first line of output is its URL.
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
				// The input is only expected to end.
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

	/** Server in a separate process. */
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
