package dev.kubeinformer.sample;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that the demonstration works as it was processed ahead of time by the build:
 * handlers, reconcilers, and what the endpoints say of them.
 */
class AotSampleTests {

	private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

	@Test
	void processedSampleShouldReportWhatHappens() throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx256m", "-XX:TieredStopAtLevel=1", "-Dspring.aot.enabled=true", "-cp", classPath(),
				SampleApplication.class.getName(), "--server.port=0", "--sample.activity.delay=100ms",
				"--sample.activity.period=100ms",
				"--management.endpoints.web.exposure.include=health,informers,prometheus")
			.redirectErrorStream(true)
			.start();
		List<String> output = new CopyOnWriteArrayList<>();
		Thread reader = new Thread(() -> process.inputReader().lines().forEach(output::add));
		reader.start();
		try {
			await().atMost(90, TimeUnit.SECONDS).until(() -> {
				assertThat(process.isAlive()).as(() -> String.join("\n", output)).isTrue();
				String text = String.join("\n", output);
				return text.contains("ADDED   node node-1") && text.contains("CHANGED blog/wordpress-")
						&& text.contains("in zone zone-a") && PORT.matcher(text).find();
			});
			assertEndpointsAnswer(String.join("\n", output));
		}
		finally {
			process.destroyForcibly();
			reader.join();
		}
		assertThat(output).anyMatch((line) -> line.contains("Starting AOT-processed SampleApplication"));
	}

	private static void assertEndpointsAnswer(String output) throws Exception {
		Matcher port = PORT.matcher(output);
		assertThat(port.find()).isTrue();
		String actuator = "http://localhost:%s/actuator/".formatted(port.group(1));
		await().atMost(60, TimeUnit.SECONDS)
			.untilAsserted(() -> assertThat(get(actuator + "health/readiness")).contains("\"UP\""));
		assertThat(get(actuator + "informers")).contains("\"podHandler\"", "\"nodeHandler\"", "\"reconcilers\"",
				"foos.samplecontroller.example.com");
		assertThat(get(actuator + "informers/rbac")).contains("kind: ClusterRole");
		assertThat(get(actuator + "prometheus")).contains("kubernetes_informer_handler", "kubernetes_reconciler");
	}

	private static String get(String url) throws Exception {
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
			.body();
	}

	// without the classes of the tests, which were not there when it was processed
	private static String classPath() {
		String separator = System.getProperty("path.separator");
		return Arrays.stream(System.getProperty("java.class.path").split(separator))
			.filter((entry) -> !entry.endsWith("test-classes"))
			.collect(Collectors.joining(separator));
	}

}
