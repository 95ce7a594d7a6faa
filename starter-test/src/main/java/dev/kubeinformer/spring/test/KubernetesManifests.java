package dev.kubeinformer.spring.test;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.function.Consumer;

import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Service;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.informer.RequiredRbac;

/**
 * Objects that a cluster needs to run an application, for files that are kept and applied
 * with the application: the definitions of its custom resources, a {@code Namespace}, a
 * {@code ServiceAccount} with the roles of {@link RbacManifest}, and a {@code Deployment}
 * whose replicas, ports, probes and times follow the configuration of the application. A
 * test needs no cluster:
 *
 * <pre class="code">
 * &#064;SpringBootTest(properties = "spring.main.cloud-platform=kubernetes")
 * &#064;EmbeddedKubernetesTest(namespace = "shop")
 * class ManifestsTests {
 *
 *     &#064;Test
 *     void manifestsShouldBeUpToDate(&#064;Autowired ApplicationContext context) {
 *         KubernetesManifests.of(context)
 *             .withImage("registry.example.com/shop:1.0.0")
 *             .assertUpToDate(Path.of("src/main/k8s"));
 *     }
 *
 * }
 * </pre>
 *
 * The test fails if the files differ from what the application needs. With the property
 * {@value #WRITE}, the test writes the files instead. The Maven goal
 * {@code kubernetes-informer:manifests} and {@link KubernetesManifestsMain} write the
 * same files without a test.
 * <p>
 * The files of a folder are numbered in the order in which
 * {@code kubectl apply -f FOLDER} creates them. The objects for another cluster of the
 * application are in a sub-folder with the name of that cluster. An output that ends with
 * {@code .yaml} is a single file.
 * <p>
 * A definition whose change can break stored objects is not written unless such changes
 * are {@linkplain #withBreakingChangesAccepted() accepted}. Instances are immutable and,
 * except for the consumers, thread-safe.
 */
public final class KubernetesManifests {

	/**
	 * System property, or property of the context's environment, with which
	 * {@link #assertUpToDate(Path)} writes the files. As an environment variable it is
	 * {@code KUBERNETES_MANIFESTS_WRITE}.
	 */
	public static final String WRITE = "kubernetes.manifests.write";

	/**
	 * System property, or property of the context's environment, that accepts changes of
	 * definitions that can break stored objects. As an environment variable it is
	 * {@code KUBERNETES_MANIFESTS_ACCEPT_BREAKING_CHANGES}.
	 */
	public static final String ACCEPT_BREAKING_CHANGES = "kubernetes.manifests.accept-breaking-changes";

	private static final StackWalker CALLERS = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

	private static final int SHOWN_DIFFERENCES = 30;

	private final ApplicationContext context;

	private final ManifestOptions options;

	private KubernetesManifests(ApplicationContext context, ManifestOptions options) {
		this.context = context;
		this.options = options;
	}

	/**
	 * Returns the manifests of an application.
	 * @param context a refreshed context that is not closed
	 * @return the manifests
	 * @throws IllegalArgumentException if the context has no informers
	 */
	public static KubernetesManifests of(ApplicationContext context) {
		RbacManifest.of(context);
		return new KubernetesManifests(context, new ManifestOptions());
	}

	private KubernetesManifests with(Consumer<ManifestOptions> change) {
		return new KubernetesManifests(this.context, this.options.changed(change));
	}

	/**
	 * Returns the manifests with another name for the Deployment, the Service and the
	 * service account.
	 * @param name the name; by default the name of the application, with '-' instead of
	 * characters that Kubernetes does not allow
	 * @return the manifests
	 */
	public KubernetesManifests withName(String name) {
		return with((options) -> options.name = name);
	}

	/**
	 * Returns the manifests for another namespace. Roles that the context needs in its
	 * current namespace are created in this namespace instead.
	 * @param namespace the namespace; by default the current namespace, such as
	 * {@link EmbeddedKubernetesTest#namespace()}
	 * @return the manifests
	 */
	public KubernetesManifests withNamespace(String namespace) {
		return with((options) -> options.namespace = namespace);
	}

	/**
	 * Returns the manifests without the Namespace, for a namespace that is created
	 * elsewhere.
	 * @return the manifests
	 */
	public KubernetesManifests withoutNamespaceObject() {
		return with((options) -> options.withNamespace = false);
	}

	/**
	 * Returns the manifests with another service account.
	 * @param name the name of the service account; by default the name of the Deployment
	 * @return the manifests
	 */
	public KubernetesManifests withServiceAccount(String name) {
		return with((options) -> options.serviceAccount = name);
	}

	/**
	 * Returns the manifests with another image.
	 * @param image the image with its tag or digest; by default {@code NAME:VERSION} of
	 * the application
	 * @return the manifests
	 */
	public KubernetesManifests withImage(String image) {
		return with((options) -> options.image = image);
	}

	/**
	 * Returns the manifests for another version of the application. The version is the
	 * tag of the image unless the {@linkplain #withImage(String) image} is set.
	 * @param version the version; by default {@code spring.application.version}, or the
	 * version in {@code build-info.properties}, or {@code latest}
	 * @return the manifests
	 */
	public KubernetesManifests withVersion(String version) {
		return with((options) -> options.version = version);
	}

	/**
	 * Returns the manifests with another number of replicas.
	 * @param replicas the number of replicas; by default 2 if the replicas elect a leader
	 * or move shards between them, otherwise 1
	 * @return the manifests
	 */
	public KubernetesManifests withReplicas(int replicas) {
		if (replicas < 0) {
			throw new IllegalArgumentException("%d replicas are not possible; use 0 or more".formatted(replicas));
		}
		return with((options) -> options.replicas = replicas);
	}

	/**
	 * Returns the manifests with the Spring profiles that are active in the pods. The
	 * context must have the same active profiles.
	 * @param profiles the profiles; none by default
	 * @return the manifests
	 */
	public KubernetesManifests withProfiles(String... profiles) {
		return with((options) -> options.profiles = List.of(profiles));
	}

	/**
	 * Returns the manifests with an additional RBAC rule, for requests of the
	 * application's own code.
	 * @param rule the rule; without a namespace it applies to the whole cluster
	 * @return the manifests
	 */
	public KubernetesManifests withRule(RequiredRbac rule) {
		return with((options) -> options.rules = ManifestOptions.plus(options.rules, List.of(rule)));
	}

	/**
	 * Returns the manifests with the definitions of further classes, such as other
	 * versions of a kind. Definitions that {@code kubernetes.definitions.exclude} names
	 * are left out.
	 * @param types classes with {@link dev.kubeinformer.resource.KubernetesResource}
	 * @return the manifests
	 */
	public KubernetesManifests withDefinitions(Class<?>... types) {
		return with((options) -> options.definitions = ManifestOptions.plus(options.definitions, List.of(types)));
	}

	/**
	 * Returns the manifests without the custom resource definitions of the given classes.
	 * Use this for definitions that come from elsewhere, such as from the operator that
	 * owns them. The property {@code kubernetes.definitions.exclude} does the same by the
	 * names of definitions.
	 * @param types classes with {@link dev.kubeinformer.resource.KubernetesResource}
	 * @return the manifests
	 */
	public KubernetesManifests withoutDefinitions(Class<?>... types) {
		return with((options) -> options.foreignDefinitions = ManifestOptions.plus(options.foreignDefinitions,
				List.of(types)));
	}

	/**
	 * Returns the manifests with a changed Deployment.
	 * @param change changes the Deployment; it is called whenever the manifests are
	 * written or compared
	 * @return the manifests
	 */
	public KubernetesManifests withDeployment(Consumer<? super V1Deployment> change) {
		return with((options) -> options.deployment = ManifestOptions
			.<Consumer<? super V1Deployment>>plus(options.deployment, List.of(change)));
	}

	/**
	 * Returns the manifests without a Deployment and a Service.
	 * @return the manifests
	 */
	public KubernetesManifests withoutDeployment() {
		return with((options) -> options.withDeployment = false);
	}

	/**
	 * Returns the manifests with a Service for the port of the application.
	 * @return the manifests
	 */
	public KubernetesManifests withService() {
		return with((options) -> options.withService = true);
	}

	/**
	 * Returns the manifests with a Service for the port of the application, and lets the
	 * caller change that Service.
	 * @param change changes the Service; it is called whenever the manifests are written
	 * or compared
	 * @return the manifests
	 */
	public KubernetesManifests withService(Consumer<? super V1Service> change) {
		return with((options) -> {
			options.withService = true;
			options.services = ManifestOptions.<Consumer<? super V1Service>>plus(options.services, List.of(change));
		});
	}

	/**
	 * Returns the manifests for one cluster of the application only.
	 * @param name the name of the cluster
	 * @return the manifests, without a sub-folder for the cluster
	 * @throws IllegalArgumentException if the application has no such cluster
	 */
	public KubernetesManifests withCluster(String name) {
		RbacManifest.of(this.context).withCluster(name);
		return with((options) -> options.cluster = name);
	}

	/**
	 * Returns manifests that may replace a definition even if the change can break stored
	 * objects.
	 * @return the manifests
	 */
	public KubernetesManifests withBreakingChangesAccepted() {
		return with((options) -> options.breakingChangesAccepted = true);
	}

	/**
	 * Returns the content of the files that {@link #writeTo} writes to a folder, without
	 * their headers.
	 * @return the YAML text of each file by its path in the folder, in the order in which
	 * the files must be applied
	 */
	public SortedMap<String, String> toFiles() {
		return new ManifestDocuments(this.context, this.options).files();
	}

	/**
	 * Returns all objects as input for {@code kubectl apply}.
	 * @return the YAML documents in the order in which they must be applied
	 * @throws IllegalArgumentException if the application has objects in several clusters
	 */
	public String toYaml() {
		return ManifestFiles.of(Path.of("all.yaml"), toFiles(), "", false).files().getOrDefault("", "");
	}

	/**
	 * Writes the files that differ, and creates their folders. Generated files that are
	 * no longer needed are deleted, including the files of a cluster that the application
	 * no longer has. All other files in the folder stay.
	 * @param output the folder, or one file with the ending {@code .yaml} or
	 * {@code .yml}; a relative path starts at the working directory of the tests, which
	 * is the folder of the module with Maven and Gradle
	 * @return the files that were written or deleted; empty if all were up to date
	 * @throws BreakingDefinitionChangesException if a definition would be removed, or
	 * changed in a way that can break stored objects, and such changes are not accepted;
	 * no file is written in this case
	 * @throws java.io.UncheckedIOException if a file cannot be read or written
	 */
	public List<Path> writeTo(Path output) {
		return write(files(output),
				"Accept them by withBreakingChangesAccepted() or -D%s=true.".formatted(ACCEPT_BREAKING_CHANGES));
	}

	/**
	 * Writes the files.
	 * @param files the files
	 * @param advice a sentence that tells how to accept breaking changes, for the message
	 * of a {@link BreakingDefinitionChangesException}
	 * @return the files that were written or deleted
	 */
	List<Path> write(ManifestFiles files, String advice) {
		if (!this.options.breakingChangesAccepted && !isSet(ACCEPT_BREAKING_CHANGES)) {
			files.checkDefinitions(advice);
		}
		return files.write();
	}

	ManifestFiles files(Path output) {
		ManifestDocuments documents = new ManifestDocuments(this.context, this.options);
		return ManifestFiles.of(output, documents.files(),
				"# Generated from the application '%s' by %s; changes are lost.%n"
					.formatted(documents.name(), KubernetesManifests.class.getSimpleName())
					.replace("\r\n", "\n"),
				this.options.cluster == null);
	}

	/**
	 * Returns the reason why the pods have no probes.
	 * @return the reason; {@code null} if they have probes
	 */
	@Nullable String withoutProbes() {
		return this.options.withDeployment
				? new ManifestDocuments(this.context, this.options).application().ports().withoutProbes() : null;
	}

	/**
	 * Asserts that the files contain exactly these objects. Comments, layout and the
	 * order of keys are not compared. With the property {@value #WRITE} the files are
	 * written first.
	 * @param output the folder, or one file with the ending {@code .yaml} or
	 * {@code .yml}; a relative path starts at the working directory of the tests, which
	 * is the folder of the module with Maven and Gradle
	 * @throws AssertionError if a file does not exist or has other objects; the message
	 * lists the differences, and the command that writes the files
	 * @throws BreakingDefinitionChangesException if the files are to be written, and a
	 * definition would change in a way that can break stored objects
	 * @throws java.io.UncheckedIOException if a file cannot be read or written
	 */
	public void assertUpToDate(Path output) {
		Class<?> caller = CALLERS.getCallerClass();
		if (isSet(WRITE)) {
			writeTo(output);
		}
		List<String> differences = files(output).differences();
		if (!differences.isEmpty()) {
			throw new AssertionError(
					"'%s' differs from what the application needs.%s%nRun %s with -D%s=true, or with %s=true in its environment, to write it."
						.formatted(output, lines(differences), caller.getSimpleName(), WRITE,
								WRITE.toUpperCase(Locale.ROOT).replace('.', '_')));
		}
	}

	static String lines(List<String> differences) {
		StringBuilder lines = new StringBuilder();
		differences.stream()
			.limit(SHOWN_DIFFERENCES)
			.forEach((line) -> lines.append(System.lineSeparator()).append("    ").append(line));
		if (differences.size() > SHOWN_DIFFERENCES) {
			lines.append("%n    and %d more".formatted(differences.size() - SHOWN_DIFFERENCES));
		}
		return lines.toString();
	}

	private boolean isSet(String property) {
		String value = this.context.getEnvironment().getProperty(property);
		return value != null && !value.strip().equalsIgnoreCase("false");
	}

}
