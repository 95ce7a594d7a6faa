package dev.kubeinformer.spring.autoconfigure.versions;

import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;

/**
 * Libraries on the class path.
 *
 * @param jars jars of each library, in the order of the class path; the first one is used
 * @param okioSockets whether Okio has the class that OkHttp 5 needs; Okio 3.13 added it
 * @param refreshes whether client-java has the class that refreshes tokens; client-java
 * 22 added it
 * @param springCloud name of a jar of Spring Cloud; {@code null} if there is none
 * @param fabric8OkHttp name of the jar with which the client of fabric8 uses OkHttp;
 * {@code null} if there is none
 */
record ClassPathLibraries(Map<Library, List<LibraryJar>> jars, boolean okioSockets, boolean refreshes,
		@Nullable String springCloud, @Nullable String fabric8OkHttp) {

	/**
	 * Reads the class path, without loading a class of the libraries.
	 * @param loader the class loader of the application
	 * @return the libraries
	 */
	static ClassPathLibraries read(ClassLoader loader) {
		Map<Library, List<LibraryJar>> jars = new EnumMap<>(Library.class);
		// Use loops instead of lambdas: this runs at each start before anything else, and
		// each lambda would link a class.
		for (Library library : Library.values()) {
			List<LibraryJar> found = new ArrayList<>();
			for (String root : roots(loader, library.type())) {
				// For Spring Boot, use the constant, because it is right even in a jar
				// that contains many libraries.
				found.add((library == Library.SPRING_BOOT)
						? new LibraryJar(library, SpringBootVersion.getVersion(), LibraryJar.name(root))
						: LibraryJar.read(library, root));
			}
			jars.put(library, found);
		}
		return new ClassPathLibraries(jars, loader.getResource("okio/Socket.class") != null,
				loader.getResource("io/kubernetes/client/util/credentials/RefreshAuthentication.class") != null,
				name(loader, "org/springframework/cloud/context/scope/refresh/RefreshScope.class"),
				name(loader, "io/fabric8/kubernetes/client/okhttp/OkHttpClientFactory.class"));
	}

	private static @Nullable String name(ClassLoader loader, String type) {
		Set<String> roots = roots(loader, type);
		return roots.isEmpty() ? null : LibraryJar.name(roots.iterator().next());
	}

	private static Set<String> roots(ClassLoader loader, String type) {
		Set<String> roots = new LinkedHashSet<>();
		try {
			for (URL url : Collections.list(loader.getResources(type))) {
				String location = url.toString();
				roots.add(location.substring(0, location.length() - type.length()));
			}
		}
		catch (IOException ex) {
			// Ignore the error: the check then knows fewer jars.
		}
		return roots;
	}

	/**
	 * Returns the jar of a library whose classes are used.
	 * @param library the library
	 * @return the first jar on the class path; {@code null} if there is none
	 */
	@Nullable LibraryJar first(Library library) {
		List<LibraryJar> all = all(library);
		return all.isEmpty() ? null : all.get(0);
	}

	List<LibraryJar> all(Library library) {
		return this.jars.getOrDefault(library, List.of());
	}

	/**
	 * Describes all libraries for a message.
	 * @return the versions and the jars
	 */
	String describe() {
		return this.jars.values()
			.stream()
			.flatMap(List::stream)
			.map(LibraryJar::toString)
			.collect(Collectors.joining(", "));
	}

}
