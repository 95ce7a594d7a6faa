package dev.kubeinformer.benchmark.compare;

import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import javax.imageio.ImageIO;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.kubeinformer.benchmark.compare.Sample.Row;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Results}, {@link Machine} and {@link Charts}.
 */
class ResultsTests {

	@BeforeAll
	static void withoutScreen() {
		System.setProperty("java.awt.headless", "true");
	}

	@Test
	void samplesShouldBeReadAsTheyWereWritten(@TempDir Path directory) throws IOException {
		List<Sample> samples = List.of(sync("ours", 1000, 200), sync("other", 1000, 400),
				new Sample(new Row(Scenario.SYNC, Resource.WIDGETS, "ours", 7, ""), 1, Outcome.MEASURED,
						Map.of(Measure.WALL, 5.0)),
				new Sample(new Row(Scenario.SYNC, "other", 5000, "diverse"), 2, Outcome.OUT_OF_MEMORY, Map.of()));
		Path file = directory.resolve("results.json");
		Results.write(file, Machine.current(), List.of("--pods", "1000"), samples);
		assertThat(Results.read(file)).isEqualTo(samples);
		assertThat(file).content().contains("\"cores\"", "\"jdk\"", "\"--pods\"");
	}

	@Test
	void earlierSamplesWithoutResourceShouldBeOfPods(@TempDir Path directory) throws IOException {
		Path file = directory.resolve("results.json");
		Files.writeString(file,
				"""
						{"samples":[{"scenario":"SYNC","client":"ours","objects":1,"variant":"","run":1,"outcome":"MEASURED"}]}""");
		assertThat(Results.read(file)).singleElement()
			.satisfies((sample) -> assertThat(sample.row()).isEqualTo(new Row(Scenario.SYNC, "ours", 1, "")));
	}

	@Test
	void versionsShouldComeFromTheNamesOfJars() {
		String classPath = String.join(File.pathSeparator, "classes", "/lib/client-java-27.0.0.jar",
				"/lib/client-java-api-27.0.0.jar", "/lib/a/jackson-databind-3.1.5.jar",
				"/lib/b/jackson-databind-2.21.5.jar");
		assertThat(Machine.versions(classPath))
			.isEqualTo(Map.of("client-java", "27.0.0", "jackson-databind", "3.1.5, 2.21.5"));
	}

	@Test
	void plotsShouldBeWrittenForWhatWasMeasured(@TempDir Path directory) throws IOException {
		List<Sample> samples = List.of(sync("ours", 1000, 200), sync("ours", 5000, 400), sync("other", 1000, 400),
				new Sample(new Row(Scenario.SYNC, Resource.WIDGETS, "ours", 7, ""), 1, Outcome.MEASURED,
						Map.of(Measure.WALL, 5.0)),
				new Sample(new Row(Scenario.WATCH, "ours", 5000, "5000/s"), 1, Outcome.MEASURED,
						Map.of(Measure.P50, 0.5, Measure.P99, 3.0, Measure.CPU_EVENT, 20.0)));
		List<Path> files = new Charts(samples).write(directory);
		assertThat(files).extracting(Path::getFileName)
			.extracting(Path::toString)
			.containsExactly("sync-time-1000.png", "sync-memory-1000.png", "sync-time-5000.png", "sync-memory-5000.png",
					"growth-time.png", "growth-memory.png", "growth-rss.png", "sync-time-widgets-7.png",
					"watch-latency.png", "watch-cpu.png");
		assertThat(files).allSatisfy((file) -> assertThat(colors(file)).as("has a series").contains(0x0072B2));
		assertThat(new Charts(List.of()).write(directory)).isEmpty();
	}

	private static Set<Integer> colors(Path file) throws IOException {
		BufferedImage image = ImageIO.read(file.toFile());
		int[] pixels = image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
		return Arrays.stream(pixels).map((pixel) -> pixel & 0xFFFFFF).boxed().collect(Collectors.toSet());
	}

	private static Sample sync(String client, int pods, double wall) {
		return new Sample(new Row(Scenario.SYNC, client, pods, ""), 1, Outcome.MEASURED, Map.of(Measure.WALL, wall,
				Measure.SINCE_START, wall + 50, Measure.RETAINED, 10.0, Measure.PEAK_LIVE, 20.0, Measure.RSS, 90.0));
	}

}
