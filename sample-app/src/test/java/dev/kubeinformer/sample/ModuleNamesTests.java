package dev.kubeinformer.sample;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests of the published jars as modules. They need the jars, which {@code mvn verify}
 * builds before and {@code mvn test} does not.
 */
class ModuleNamesTests {

	private static final Map<String, String> MODULES = Map.of("informer", "dev.kubeinformer", "autoconfigure",
			"dev.kubeinformer.spring", "starter", "dev.kubeinformer.spring.starter", "test-support",
			"dev.kubeinformer.test", "controller-test", "dev.kubeinformer.controller.test", "starter-test",
			"dev.kubeinformer.spring.test", "console", "dev.kubeinformer.spring.console");

	@Test
	void everyPublishedJarShouldNameItsModule() throws IOException {
		for (Map.Entry<String, String> module : MODULES.entrySet()) {
			try (JarFile file = new JarFile(jar(module.getKey()).toFile())) {
				assertThat(file.getManifest().getMainAttributes().getValue("Automatic-Module-Name")).as(module.getKey())
					.isEqualTo(module.getValue());
			}
		}
	}

	@Test
	void noPackageShouldBeInTwoModules() throws IOException {
		Path[] jars = MODULES.keySet().stream().map(ModuleNamesTests::jar).toArray(Path[]::new);
		List<ModuleDescriptor> modules = ModuleFinder.of(jars)
			.findAll()
			.stream()
			.map(ModuleReference::descriptor)
			.toList();
		assertThat(modules).extracting(ModuleDescriptor::name).containsExactlyInAnyOrderElementsOf(MODULES.values());
		assertThat(modules.stream().flatMap((module) -> module.packages().stream())).doesNotHaveDuplicates();
	}

	private static Path jar(String module) {
		Path target = Path.of("..", module, "target");
		assumeThat(target).isDirectory();
		try (Stream<Path> files = Files.list(target)) {
			List<Path> jars = files
				.filter((file) -> file.getFileName().toString().matches("kubernetes-informer.*[0-9T]\\.jar"))
				.toList();
			assumeThat(jars).as("the jar of " + module).hasSize(1);
			return jars.get(0);
		}
		catch (IOException ex) {
			throw new IllegalStateException("Cannot list " + target, ex);
		}
	}

}
