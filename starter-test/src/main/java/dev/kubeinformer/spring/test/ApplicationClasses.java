package dev.kubeinformer.spring.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.core.io.FileSystemResource;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.ClassFormatException;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.core.type.classreading.SimpleMetadataReaderFactory;

/**
 * Finds the application class in folders of class files, without loading classes.
 */
final class ApplicationClasses {

	private static final String ANNOTATION = "org.springframework.boot.SpringBootConfiguration";

	private final MetadataReaderFactory reader = new SimpleMetadataReaderFactory();

	/**
	 * Finds the class with {@code @SpringBootApplication}. If several classes have it,
	 * the one with a method {@code main} is the application.
	 * @param folders the folders
	 * @return the name of the class
	 * @throws IllegalArgumentException if no class or more than one class qualifies
	 */
	String find(List<Path> folders) {
		List<AnnotationMetadata> found = new ArrayList<>();
		folders.forEach((folder) -> found.addAll(applications(folder)));
		List<AnnotationMetadata> runnable = found.stream().filter(ApplicationClasses::isRunnable).toList();
		List<String> names = ((found.size() > 1 && !runnable.isEmpty()) ? runnable : found).stream()
			.map(AnnotationMetadata::getClassName)
			.sorted()
			.toList();
		if (names.isEmpty()) {
			throw new IllegalArgumentException(
					"No class in %s has @SpringBootApplication; compile the application first, or name its class by '--application=…'"
						.formatted(folders));
		}
		if (names.size() > 1) {
			throw new IllegalArgumentException(
					"Several classes have @SpringBootApplication: %s; name one by '--application=…'".formatted(names));
		}
		return names.get(0);
	}

	private List<AnnotationMetadata> applications(Path folder) {
		if (!Files.isDirectory(folder)) {
			return List.of();
		}
		try (Stream<Path> files = Files.walk(folder)) {
			return files.filter((file) -> file.toString().endsWith(".class"))
				.filter((file) -> !file.endsWith("module-info.class"))
				.flatMap(this::read)
				.filter((type) -> type.isAnnotated(ANNOTATION) && type.isConcrete())
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read '%s'".formatted(folder), ex);
		}
	}

	private Stream<AnnotationMetadata> read(Path file) {
		try {
			return Stream.of(this.reader.getMetadataReader(new FileSystemResource(file)).getAnnotationMetadata());
		}
		catch (ClassFormatException ex) {
			// Class file of a newer JDK, which this Spring version cannot read.
			return Stream.empty();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read '%s'".formatted(file), ex);
		}
	}

	private static boolean isRunnable(AnnotationMetadata type) {
		return type.getDeclaredMethods().stream().anyMatch((method) -> method.getMethodName().equals("main"));
	}

}
