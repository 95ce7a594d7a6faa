package dev.kubeinformer.spring.autoconfigure.versions;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of reading versions from jars.
 */
class ClassPathLibrariesTests {

	private static final String OKHTTP = "okhttp3/OkHttpClient.class";

	private static final String CLIENT = "io/kubernetes/client/util/ClientBuilder.class";

	@TempDir
	private Path directory;

	@ParameterizedTest
	@EnumSource
	void versionOfTheBuildShouldBeRead(Library library) {
		ClassPathLibraries found = ClassPathLibraries.read(getClass().getClassLoader());
		assertThat(found.all(library)).singleElement().satisfies((jar) -> {
			assertThat(jar.version()).isEqualTo(library.version());
			assertThat(jar.name()).endsWith("-%s.jar".formatted(library.version()));
		});
		assertThat(library.isTested(library.version())).isTrue();
		assertThat(found.okioSockets()).isTrue();
		assertThat(found.refreshes()).isTrue();
	}

	@Test
	void versionOfABundleShouldBeRead() throws IOException {
		assertThat(read(jar("renamed", "com.squareup.okhttp3", "5.1.0", OKHTTP)).first(Library.OKHTTP))
			.isEqualTo(new LibraryJar(Library.OKHTTP, "5.1.0", "renamed.jar"));
	}

	@Test
	void versionOfPomPropertiesShouldBeRead() throws IOException {
		assertThat(read(jar("a b", null, null, CLIENT, "META-INF/maven/io.kubernetes/client-java/pom.properties"))
			.first(Library.CLIENT_JAVA)).extracting(LibraryJar::version).isEqualTo("1.2.3");
	}

	@Test
	void versionOfANameShouldBeReadWhereTheJarHasNone() throws IOException {
		assertThat(read(jar("okhttp-4.12.0", null, null, OKHTTP)).first(Library.OKHTTP))
			.isEqualTo(new LibraryJar(Library.OKHTTP, "4.12.0", "okhttp-4.12.0.jar"));
	}

	@Test
	void versionOfAnApplicationShouldNotBeTakenForThatOfALibraryInItsJar() throws IOException {
		assertThat(read(jar("app", "com.example.app", "3.1.4", OKHTTP, CLIENT))).satisfies((found) -> {
			assertThat(found.first(Library.OKHTTP).version()).isNull();
			assertThat(found.first(Library.CLIENT_JAVA).version()).isNull();
			assertThat(found.describe()).contains("OkHttp of unknown version ('app.jar')");
		});
	}

	@Test
	void jarsShouldBeInTheOrderOfTheClassPath() throws IOException {
		ClassPathLibraries found = read(jar("okhttp-jvm-5.4.0", "com.squareup.okhttp3", "5.4.0", OKHTTP),
				jar("okhttp-4.12.0", null, null, OKHTTP));
		assertThat(found.all(Library.OKHTTP)).extracting(LibraryJar::version).containsExactly("5.4.0", "4.12.0");
		assertThat(found.okioSockets()).isFalse();
		assertThat(found.springCloud()).isNull();
	}

	@Test
	void classesInADirectoryShouldHaveNoVersion() throws IOException {
		Path type = this.directory.resolve("classes").resolve(OKHTTP);
		Files.createDirectories(type.getParent());
		Files.createFile(type);
		assertThat(read(this.directory.resolve("classes")).first(Library.OKHTTP))
			.isEqualTo(new LibraryJar(Library.OKHTTP, null, "classes"));
	}

	private static ClassPathLibraries read(Path... paths) throws IOException {
		URL[] urls = new URL[paths.length];
		for (int i = 0; i < paths.length; i++) {
			urls[i] = paths[i].toUri().toURL();
		}
		try (URLClassLoader loader = new URLClassLoader(urls, null)) {
			return ClassPathLibraries.read(loader);
		}
	}

	private Path jar(String name, @Nullable String bundle, @Nullable String version, String... entries)
			throws IOException {
		Path jar = this.directory.resolve(name + ".jar");
		Manifest manifest = new Manifest();
		manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
		if (bundle != null) {
			manifest.getMainAttributes().putValue("Bundle-SymbolicName", bundle);
			manifest.getMainAttributes().putValue("Bundle-Version", version);
			manifest.getMainAttributes().putValue("Implementation-Version", version);
		}
		try (OutputStream file = Files.newOutputStream(jar);
				JarOutputStream stream = new JarOutputStream(file, manifest)) {
			for (String entry : entries) {
				stream.putNextEntry(new ZipEntry(entry));
				if (entry.endsWith(".properties")) {
					stream.write("version=1.2.3\n".getBytes());
				}
			}
		}
		return jar;
	}

}
