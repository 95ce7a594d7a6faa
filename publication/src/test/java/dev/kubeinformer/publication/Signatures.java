package dev.kubeinformer.publication;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

import kotlin.collections.CollectionsKt;
import kotlinx.validation.api.ClassBinarySignature;
import kotlinx.validation.api.KotlinSignaturesLoadingKt;

/**
 * Part of compiled classes that others may link to, as text: every public type with its
 * public and protected members.
 */
final class Signatures {

	private Signatures() {
	}

	/**
	 * Returns the signatures of the classes in a directory.
	 * @param classes the directory
	 * @param unstablePackages names of packages that are public in Java only, their
	 * subpackages included
	 * @param unstableTypes qualified names of such types, their nested types included
	 * @return the signatures
	 */
	static String of(Path classes, Collection<String> unstablePackages, Collection<String> unstableTypes)
			throws IOException {
		try (Stream<Path> walk = Files.walk(classes)) {
			List<Path> files = walk.filter((file) -> file.toString().endsWith(".class")).sorted().toList();
			List<String> unstable = files.stream()
				.map((file) -> classes.relativize(file).toString().replace('/', '.').replaceFirst("\\.class$", ""))
				.filter((name) -> unstableTypes.contains(name.replaceFirst("\\$.*", "")))
				.toList();
			return of(files.stream().map(Signatures::bytes).toList(), unstablePackages, unstable);
		}
	}

	static String of(List<byte[]> classes, Collection<String> unstablePackages, Collection<String> unstableTypes) {
		List<InputStream> streams = classes.stream().<InputStream>map(ByteArrayInputStream::new).toList();
		List<ClassBinarySignature> loaded = KotlinSignaturesLoadingKt
			.loadApiFromJvmClasses(CollectionsKt.asSequence(streams), (name) -> true);
		List<ClassBinarySignature> stable = KotlinSignaturesLoadingKt.filterOutNonPublic(loaded, unstablePackages,
				unstableTypes);
		return KotlinSignaturesLoadingKt.dump(stable, new StringBuilder()).toString();
	}

	private static byte[] bytes(Path file) {
		try {
			return Files.readAllBytes(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + file, ex);
		}
	}

}
