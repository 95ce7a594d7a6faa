package dev.kubeinformer.definitions;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link DescriptionProcessor}.
 */
class DescriptionProcessorTests {

	private static final String WIDGET = """
			package example;

			import java.util.*;
			import dev.kubeinformer.definition.Description;
			import dev.kubeinformer.resource.KubernetesResource;
			import io.kubernetes.client.common.KubernetesObject;
			import io.kubernetes.client.openapi.models.*;

			/**
			 * Widget of a shop.
			 * <p>
			 * With {@link Spec#size}.
			 */
			@KubernetesResource(group = "example.com", version = "v1", plural = "widgets")
			public class Widget extends Base implements KubernetesObject {

				String apiVersion;

				String kind;

				V1ObjectMeta metadata;

				/** What is wanted. */
				Spec spec;

				public String getApiVersion() { return apiVersion; }

				public String getKind() { return kind; }

				public V1ObjectMeta getMetadata() { return metadata; }

				/** Spec of a widget: gr\u00fcn \\\\ = : # ! */
				static class Spec {

					/** Size in {@code cm}. */
					int size;

					/** Overridden. */
					@Description("Colour")
					String color;

					Map<String, List<Part>> parts;

					/** Not a field of the object. */
					static final String OTHER = "";

				}

			}
			""";

	private static final String PART = """
			package example;

			/**
			 * Part of a widget.
			 *
			 * @param name Name of the part.
			 */
			public record Part(String name) {
			}
			""";

	private static final String BASE = """
			package example;

			/** Base. */
			class Base {

				/** Inherited. */
				String inherited;

			}
			""";

	@TempDir
	private Path classes;

	private final DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();

	@Test
	void schemaShouldHaveTheJavadoc() throws Exception {
		assertThat(compile(WIDGET, PART, BASE)).isTrue();
		assertThat(this.diagnostics.getDiagnostics())
			.noneMatch((diagnostic) -> diagnostic.getKind() != Diagnostic.Kind.NOTE);
		V1JSONSchemaProps schema = schema();
		assertThat(schema.getDescription()).isEqualTo("Widget of a shop.\n\nWith Spec.size.");
		assertThat(schema.getProperties().get("inherited").getDescription()).isEqualTo("Inherited.");
		V1JSONSchemaProps spec = schema.getProperties().get("spec");
		assertThat(spec.getDescription()).isEqualTo("What is wanted.");
		assertThat(spec.getProperties().get("size").getDescription()).isEqualTo("Size in cm.");
		assertThat(spec.getProperties().get("color").getDescription()).isEqualTo("Colour");
		V1JSONSchemaProps parts = (V1JSONSchemaProps) spec.getProperties().get("parts").getAdditionalProperties();
		V1JSONSchemaProps part = (V1JSONSchemaProps) parts.getItems();
		assertThat(part.getDescription()).isEqualTo("Part of a widget.");
		assertThat(part.getProperties().get("name").getDescription()).isEqualTo("Name of the part.");
	}

	@Test
	void eachClassShouldHaveItsOwnFile() throws IOException {
		compile(WIDGET, PART, BASE);
		assertThat(file("example.Widget$Spec"))
			.hasContent("class=Spec of a widget: gr\u00fcn \\\\\\\\ = : # !\ncolor=Overridden.\nsize=Size in cm.\n");
		assertThat(file("example.Part")).exists();
		assertThat(file("example.Base")).exists();
	}

	@Test
	void compilationOfOneClassShouldLeaveTheFilesOfOthers() throws IOException {
		compile(WIDGET, PART, BASE);
		assertThat(compile(WIDGET.replace("of a shop", "of a store"))).isTrue();
		assertThat(file("example.Widget")).content().contains("of a store");
		assertThat(file("example.Part")).content().contains("Name of the part.");
	}

	@Test
	void classesWithoutTheAnnotationShouldHaveNoFile() {
		compile("package example;\n\n/** Other. */\nclass Other {\n}\n");
		assertThat(file("example.Other")).doesNotExist();
	}

	@Test
	void brokenSourcesShouldFailForTheirOwnErrorsOnly() {
		assertThat(compile(WIDGET, PART)).isFalse();
		assertThat(this.diagnostics.getDiagnostics()).isNotEmpty()
			.allSatisfy((diagnostic) -> assertThat(diagnostic.getSource()).isNotNull());
	}

	@Test
	void fileThatCannotBeWrittenShouldNotFailTheCompilation() throws IOException {
		Files.createDirectories(this.classes.resolve("META-INF"));
		Files.writeString(this.classes.resolve("META-INF/kubernetes-informer"), "not a folder");
		assertThat(compile(WIDGET, PART, BASE)).isTrue();
		assertThat(this.diagnostics.getDiagnostics()).anySatisfy((diagnostic) -> assertThat(diagnostic.getMessage(null))
			.startsWith("No descriptions of 'example.Widget' are written"));
	}

	@Test
	void processorShouldBeFoundByCompilersAndByGradle() throws IOException {
		String name = DescriptionProcessor.class.getName();
		assertThat(resource("META-INF/services/javax.annotation.processing.Processor")).isEqualToIgnoringNewLines(name);
		assertThat(resource("META-INF/gradle/incremental.annotation.processors"))
			.isEqualToIgnoringNewLines(name + ",isolating");
	}

	@Test
	void fileShouldNotDependOnTheTime() throws IOException {
		StringWriter writer = new StringWriter();
		DescriptionFile.write(writer, Map.of("a", " x\ny"));
		assertThat(writer).hasToString("a=\\ x\\ny\n");
	}

	private static String resource(String name) throws IOException {
		// Other processors may be on the class path.
		URL classes = DescriptionProcessor.class.getProtectionDomain().getCodeSource().getLocation();
		try (InputStream file = URI.create(classes + name).toURL().openStream()) {
			return new String(file.readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	private Path file(String type) {
		return this.classes.resolve(DescriptionFile.path(type));
	}

	private V1JSONSchemaProps schema() throws Exception {
		try (URLClassLoader loader = new URLClassLoader(new URL[] { this.classes.toUri().toURL() },
				getClass().getClassLoader())) {
			return CustomResourceDefinitions.of(loader.loadClass("example.Widget"))
				.all()
				.get(0)
				.getSpec()
				.getVersions()
				.get(0)
				.getSchema()
				.getOpenAPIV3Schema();
		}
	}

	private boolean compile(String... sources) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		List<JavaFileObject> files = new ArrayList<>();
		for (String source : sources) {
			String name = source.replaceAll("(?s).*?(?:class|record) (\\w+)[^.:].*", "$1");
			files.add(new SimpleJavaFileObject(URI.create("string:///example/" + name + ".java"),
					JavaFileObject.Kind.SOURCE) {

				@Override
				public CharSequence getCharContent(boolean ignoreEncodingErrors) {
					return source;
				}

			});
		}
		JavaCompiler.CompilationTask task = compiler.getTask(null, null, this.diagnostics,
				List.of("-d", this.classes.toString(), "-cp",
						this.classes + File.pathSeparator + System.getProperty("java.class.path"), "-encoding", "UTF-8",
						"-Xlint:all", "-Xlint:-processing,-classfile,-path,-serial"),
				null, files);
		task.setProcessors(List.of(new DescriptionProcessor()));
		return task.call();
	}

}
