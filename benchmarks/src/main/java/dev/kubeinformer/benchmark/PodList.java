package dev.kubeinformer.benchmark;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiFunction;

/**
 * Pods as in a list of a real API server: 5.7 KB each, with status and managedFields,
 * twenty of each application.
 */
final class PodList {

	private static final int PODS_OF_AN_APPLICATION = 20;

	private PodList() {
	}

	/**
	 * Writes a list to a temporary file.
	 * @param pods the number of pods
	 * @return the file; it is deleted when the JVM ends
	 */
	static Path write(int pods) {
		try {
			Path file = Files.createTempFile("pods", ".json");
			file.toFile().deleteOnExit();
			try (OutputStream out = Files.newOutputStream(file)) {
				write(pods, out);
			}
			return file;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static void write(int pods, OutputStream out) throws IOException {
		write(pods, PodList::pod, out);
	}

	static void write(int pods, BiFunction<String, Integer, String> pod, OutputStream out) throws IOException {
		String template = template();
		out.write(bytes("{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"4711\"},"
				+ "\"items\":["));
		for (int i = 0; i < pods; i++) {
			out.write(bytes((i > 0) ? "," : ""));
			out.write(bytes(pod.apply(template, i)));
		}
		out.write(bytes("]}\n"));
	}

	static String template() {
		try (InputStream in = PodList.class.getResourceAsStream("pod.json")) {
			return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static String pod(String template, int number) {
		int app = number / PODS_OF_AN_APPLICATION;
		return template.replace("@pod@", "%05x".formatted(number))
			.replace("@app@", "%04d".formatted(app))
			.replace("@team@", Integer.toString(app % PODS_OF_AN_APPLICATION))
			.replace("@node@", Integer.toString((number * 7) % 200));
	}

	/**
	 * Returns a pod that shares only its structure with those of other applications, and
	 * has an annotation with JSON like that of {@code kubectl apply}.
	 * @param template the template
	 * @param number the number of the pod
	 * @return the pod
	 */
	static String diverse(String template, int number) {
		Random random = new Random(number / PODS_OF_AN_APPLICATION);
		StringBuilder variables = new StringBuilder("\"env\":[");
		StringBuilder applied = new StringBuilder();
		for (int i = 4 + random.nextInt(12); i > 0; i--) {
			String variable = "{\"name\":\"SETTING_%08x\",\"value\":\"https://%08x.internal.example.com/%08x\"},"
				.formatted(random.nextInt(), random.nextInt(), random.nextInt());
			variables.append(variable);
			applied.append(variable);
		}
		String annotation = "\"annotations\":{\"kubectl.kubernetes.io/last-applied-configuration\":\"[%snull]\\n\","
			.formatted(applied.toString().replace("\"", "\\\""));
		return pod(template.replace("\"annotations\":{", annotation)
			.replace("\"env\":[", variables)
			.replace("checkout", "checkout-%06x".formatted(random.nextInt(1 << 24)))
			.replace("1.42.0", "1.%d.%d".formatted(random.nextInt(90), random.nextInt(90))), number);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
