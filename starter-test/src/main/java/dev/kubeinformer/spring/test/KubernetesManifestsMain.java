package dev.kubeinformer.spring.test;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;

/**
 * Program that writes the {@link KubernetesManifests} of an application, for Gradle and
 * other build tools. It refreshes the application's context on an embedded API, without
 * starting it: no port is opened, no runner is called, and no cluster is needed. Run it
 * with the class path of the application, without test classes, and with
 * {@code kubernetes-informer-spring-boot-starter-test}.
 *
 * <pre class="code">
 * java -cp … dev.kubeinformer.spring.test.KubernetesManifestsMain
 *     --application=com.example.App --output=src/main/k8s --namespace=shop
 * </pre>
 *
 * <table class="striped">
 * <caption>Arguments</caption>
 * <tr>
 * <th>argument</th>
 * <th>value</th>
 * </tr>
 * <tr>
 * <td>{@code --application}</td>
 * <td>class with {@code @SpringBootApplication}</td>
 * </tr>
 * <tr>
 * <td>{@code --classes}</td>
 * <td>folders to search for the class if {@code --application} is not set, or names a
 * class that is not a configuration, such as {@code AppKt} of Kotlin</td>
 * </tr>
 * <tr>
 * <td>{@code --output}</td>
 * <td>folder, or one file with the ending {@code .yaml}</td>
 * </tr>
 * <tr>
 * <td>{@code --name}, {@code --namespace}, {@code --service-account}, {@code --image},
 * {@code --version}, {@code --replicas}</td>
 * <td>as the methods of {@link KubernetesManifests}; the namespace is the name of the
 * application by default</td>
 * </tr>
 * <tr>
 * <td>{@code --default-name}</td>
 * <td>name to use if {@code spring.application.name} is not set</td>
 * </tr>
 * <tr>
 * <td>{@code --profiles}</td>
 * <td>Spring profiles that are active, here and in the pods</td>
 * </tr>
 * <tr>
 * <td>{@code --definitions}, {@code --foreign-definitions}</td>
 * <td>classes whose definitions are written as well, or come from elsewhere</td>
 * </tr>
 * <tr>
 * <td>{@code --cluster}</td>
 * <td>one cluster of the application</td>
 * </tr>
 * <tr>
 * <td>{@code --service}, {@code --no-deployment}, {@code --no-namespace}</td>
 * <td>switches: with a Service, without a Deployment, without the Namespace</td>
 * </tr>
 * <tr>
 * <td>{@code --check}</td>
 * <td>compares the files and writes nothing</td>
 * </tr>
 * <tr>
 * <td>{@code --accept-breaking-changes}</td>
 * <td>replaces definitions even if stored objects can break</td>
 * </tr>
 * </table>
 *
 * Lists are separated by commas, folders as a class path. An argument with a '.' in its
 * name, such as {@code --spring.main.lazy-initialization=true}, is a property of the
 * application.
 * <p>
 * Exit codes: 0 if the files are up to date or were written, {@value #FAILED} if the
 * application or its manifests have an error, {@value #WRONG_ARGUMENTS} for wrong
 * arguments, {@value #NOT_UP_TO_DATE} if {@code --check} finds a difference, and
 * {@value #BREAKING_CHANGES} if definitions would break stored objects.
 */
public final class KubernetesManifestsMain {

	/** Exit code if the application or its manifests have an error. */
	public static final int FAILED = 1;

	/** Exit code for wrong arguments. */
	public static final int WRONG_ARGUMENTS = 2;

	/** Exit code if the files are not up to date. */
	public static final int NOT_UP_TO_DATE = 3;

	/** Exit code if a definition would change in a way that can break stored objects. */
	public static final int BREAKING_CHANGES = 4;

	/** Placeholder for the namespace until the name of the application is known. */
	private static final String UNKNOWN_NAMESPACE = "application-namespace";

	private final ManifestArguments arguments;

	private final PrintStream out;

	private KubernetesManifestsMain(ManifestArguments arguments, PrintStream out) {
		this.arguments = arguments;
		this.out = out;
	}

	/**
	 * Runs the program and ends the process.
	 * @param args the arguments
	 */
	public static void main(String[] args) {
		// Threads of the application must not keep the process alive.
		System.exit(run(System.out, System.err, args));
	}

	static int run(PrintStream out, PrintStream err, String... args) {
		ManifestArguments arguments;
		String application;
		Class<?> source;
		try {
			arguments = ManifestArguments.parse(args);
			source = source(arguments);
			application = source.getName();
		}
		catch (IllegalArgumentException ex) {
			err.println(ex.getMessage());
			return WRONG_ARGUMENTS;
		}
		try {
			return new KubernetesManifestsMain(arguments, out).run(source);
		}
		catch (BreakingDefinitionChangesException ex) {
			err.println(ex.getMessage());
			return BREAKING_CHANGES;
		}
		catch (NotUpToDateException ex) {
			err.println(ex.getMessage());
			return NOT_UP_TO_DATE;
		}
		catch (WrongArgumentException ex) {
			err.println(ex.getMessage());
			return WRONG_ARGUMENTS;
		}
		catch (RuntimeException | Error ex) {
			err.println("Cannot make the manifests of '%s': %s".formatted(application, reason(ex)));
			return FAILED;
		}
	}

	private static Class<?> source(ManifestArguments arguments) {
		String named = arguments.get("application");
		if (named != null) {
			Class<?> type = load(named, "--application");
			if (arguments.classes().isEmpty() || isConfiguration(type)) {
				return type;
			}
		}
		return load(new ApplicationClasses().find(arguments.classes()), "--application");
	}

	// The class with main() need not be a configuration, such as AppKt for the file
	// App.kt.
	private static boolean isConfiguration(Class<?> type) {
		MergedAnnotations annotations = MergedAnnotations.from(type, MergedAnnotations.SearchStrategy.TYPE_HIERARCHY);
		return annotations.isPresent(Configuration.class) || annotations.isPresent(EnableAutoConfiguration.class);
	}

	private static Class<?> load(String name, String argument) {
		try {
			return ClassUtils.forName(name, ClassUtils.getDefaultClassLoader());
		}
		catch (ClassNotFoundException | LinkageError ex) {
			throw new WrongArgumentException("The class '%s' of '%s' is not on the class path, or cannot be loaded: %s"
				.formatted(name, argument, ex));
		}
	}

	// The innermost message names the cause; the messages around it name beans.
	private static String reason(Throwable failure) {
		Throwable cause = failure;
		while (cause.getCause() != null && cause.getCause() != cause) {
			cause = cause.getCause();
		}
		return (cause.getMessage() != null) ? cause.getMessage() : cause.toString();
	}

	private int run(Class<?> source) {
		List<String> profiles = this.arguments.list("profiles");
		List<String> properties = new ArrayList<>(this.arguments.properties());
		if (!profiles.isEmpty()) {
			properties.add("--spring.profiles.active=" + String.join(",", profiles));
		}
		String namespace = this.arguments.get("namespace");
		// The default namespace is the name of the application, which is known only after
		// its configuration has been read.
		new ManifestApplication(source, (namespace != null) ? namespace : UNKNOWN_NAMESPACE, this::write)
			.runOnce(properties);
		return 0;
	}

	private void write(ApplicationContext context) {
		KubernetesManifests manifests = manifests(context);
		Path output = this.arguments.output();
		ManifestFiles files = manifests.files(output);
		if (this.arguments.isSet("check")) {
			List<String> differences = files.differences();
			if (!differences.isEmpty()) {
				throw new NotUpToDateException("'%s' differs from what the application needs.%s".formatted(output,
						KubernetesManifests.lines(differences)));
			}
			this.out.println("'%s' is up to date".formatted(output));
			return;
		}
		List<Path> changed = manifests.write(files, "Accept them by '--accept-breaking-changes'.");
		changed.forEach(
				(file) -> this.out.println("%s '%s'".formatted(file.toFile().exists() ? "Wrote" : "Deleted", file)));
		if (changed.isEmpty()) {
			this.out.println("'%s' is up to date".formatted(output));
		}
		String reason = manifests.withoutProbes();
		if (reason != null) {
			this.out.println("The pods have no probes, because " + reason);
		}
	}

	private KubernetesManifests manifests(ApplicationContext context) {
		KubernetesManifests manifests = KubernetesManifests.of(context);
		String name = name(context);
		if (name != null) {
			manifests = manifests.withName(name);
		}
		if (this.arguments.get("namespace") == null) {
			manifests = manifests.withNamespace(DeployedApplication.of(context).name(name));
		}
		String account = this.arguments.get("service-account");
		manifests = (account != null) ? manifests.withServiceAccount(account) : manifests;
		String image = this.arguments.get("image");
		manifests = (image != null) ? manifests.withImage(image) : manifests;
		String version = this.arguments.get("version");
		manifests = (version != null) ? manifests.withVersion(version) : manifests;
		Integer replicas = this.arguments.replicas();
		manifests = (replicas != null) ? manifests.withReplicas(replicas) : manifests;
		String cluster = this.arguments.get("cluster");
		manifests = (cluster != null) ? manifests.withCluster(cluster) : manifests;
		manifests = this.arguments.isSet("service") ? manifests.withService() : manifests;
		manifests = this.arguments.isSet("no-deployment") ? manifests.withoutDeployment() : manifests;
		manifests = this.arguments.isSet("no-namespace") ? manifests.withoutNamespaceObject() : manifests;
		manifests = this.arguments.isSet("accept-breaking-changes") ? manifests.withBreakingChangesAccepted()
				: manifests;
		return manifests.withProfiles(this.arguments.list("profiles").toArray(String[]::new))
			.withDefinitions(classes("definitions"))
			.withoutDefinitions(classes("foreign-definitions"));
	}

	private @Nullable String name(ApplicationContext context) {
		boolean named = !context.getEnvironment().getProperty("spring.application.name", "").isBlank();
		String name = this.arguments.get("name");
		return (name != null || named) ? name : this.arguments.get("default-name");
	}

	private Class<?>[] classes(String argument) {
		return this.arguments.list(argument)
			.stream()
			.<Class<?>>map((name) -> load(name, "--" + argument))
			.toArray(Class<?>[]::new);
	}

	/**
	 * Thrown when an argument was parsed but has a wrong value, for example if a class
	 * does not exist.
	 */
	private static final class WrongArgumentException extends IllegalArgumentException {

		private static final long serialVersionUID = 1L;

		WrongArgumentException(String message) {
			super(message);
		}

	}

	/**
	 * Thrown when the files are not up to date.
	 */
	private static final class NotUpToDateException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		NotUpToDateException(String message) {
			super(message);
		}

	}

}
