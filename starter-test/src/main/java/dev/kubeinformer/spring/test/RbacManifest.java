package dev.kubeinformer.spring.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.rbac.RequiredRoles;

/**
 * RBAC objects that an application needs in a cluster, for a file that is kept and
 * applied with the application: a {@code ClusterRole} for cluster-wide access, a
 * {@code Role} in each namespace with its own access, and their bindings to a service
 * account. The rules cover the informers, handlers and reconcilers of the context and its
 * leader election, as {@code /actuator/informers/rbac} lists them. A test needs no
 * cluster:
 *
 * <pre class="code">
 * &#064;SpringBootTest
 * &#064;EmbeddedKubernetesTest(namespace = "shop")
 * class RbacManifestTests {
 *
 *     &#064;Test
 *     void roleShouldBeWhatTheApplicationNeeds(&#064;Autowired ApplicationContext context) {
 *         RbacManifest.of(context)
 *             .withServiceAccount("shop", "orders")
 *             .assertUpToDate(Path.of("src/main/k8s/rbac.yaml"));
 *     }
 *
 * }
 * </pre>
 *
 * The test fails if the file grants more or less than the application needs. With the
 * property {@value #WRITE}, as in
 * {@code ./mvnw test -Dtest=RbacManifestTests -Dkubernetes.rbac.write=true}, the test
 * writes the file instead. Requests of the application's own code are unknown; add them
 * with {@link #withRule(RequiredRbac)}. The context must have the configuration that the
 * application has in the cluster: profiles, namespaces, leader election.
 * <p>
 * Immutable and thread-safe. The rules are collected when the manifest is written or
 * compared.
 */
public final class RbacManifest {

	/**
	 * System property, or property of the context's environment, with which
	 * {@link #assertUpToDate(Path)} writes the file. As an environment variable it is
	 * {@code KUBERNETES_RBAC_WRITE}.
	 */
	public static final String WRITE = "kubernetes.rbac.write";

	private static final StackWalker CALLERS = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

	private static final String API_GROUP = "rbac.authorization.k8s.io";

	private final ApplicationContext context;

	private final String cluster;

	private final @Nullable Account account;

	private final List<RequiredRbac> rules;

	private RbacManifest(ApplicationContext context, String cluster, @Nullable Account account,
			List<RequiredRbac> rules) {
		this.context = context;
		this.cluster = cluster;
		this.account = account;
		this.rules = rules;
	}

	/**
	 * Returns the manifest of an application for its default cluster, without bindings.
	 * @param context a refreshed context that is not closed
	 * @return the manifest
	 * @throws IllegalArgumentException if the context has no informers
	 */
	public static RbacManifest of(ApplicationContext context) {
		RbacManifest manifest = new RbacManifest(context, InformerClusters.DEFAULT, null, List.of());
		manifest.roles();
		return manifest;
	}

	/**
	 * Returns the manifest for another cluster of the application. It is a separate file,
	 * to be applied in that cluster.
	 * @param name the name of the cluster
	 * @return a manifest without the bindings and additional rules of this one
	 * @throws IllegalArgumentException if the application has no such cluster
	 */
	public RbacManifest withCluster(String name) {
		RbacManifest manifest = new RbacManifest(this.context, name, null, List.of());
		manifest.documents();
		return manifest;
	}

	/**
	 * Returns the manifest with a binding of each role to a service account.
	 * @param namespace the namespace of the service account
	 * @param name the name of the service account
	 * @return a manifest with bindings that have the names of their roles
	 */
	public RbacManifest withServiceAccount(String namespace, String name) {
		return new RbacManifest(this.context, this.cluster, new Account(namespace, name), this.rules);
	}

	/**
	 * Returns the manifest with an additional rule, for requests of the application's own
	 * code.
	 * @param rule the rule; without a namespace it applies to the whole cluster
	 * @return a manifest with that rule
	 */
	public RbacManifest withRule(RequiredRbac rule) {
		List<RequiredRbac> more = new ArrayList<>(this.rules);
		more.add(rule);
		return new RbacManifest(this.context, this.cluster, this.account, List.copyOf(more));
	}

	/**
	 * Returns the objects as input for {@code kubectl apply}.
	 * @return the YAML documents; a comment if no role is needed
	 */
	public String toYaml() {
		return RequiredRoles.toYaml(documents());
	}

	/**
	 * Writes the file and creates its folders. An existing file is replaced.
	 * @param file the file; a relative path starts at the working directory of the tests,
	 * which is the folder of the module with Maven and Gradle
	 * @throws UncheckedIOException if the file cannot be written
	 */
	public void writeTo(Path file) {
		write(file, CALLERS.getCallerClass());
	}

	private void write(Path file, Class<?> caller) {
		String application = this.context.getEnvironment().getProperty("spring.application.name", "the application");
		String header = "# What %s needs%s, as %s writes it: see %s.\n".formatted(application, where(),
				caller.getSimpleName(), RbacManifest.class.getSimpleName());
		try {
			Path folder = file.toAbsolutePath().getParent();
			if (folder != null) {
				Files.createDirectories(folder);
			}
			Files.writeString(file, header + toYaml());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot write '%s'".formatted(file), ex);
		}
	}

	/**
	 * Asserts that a file has these objects: the same roles with the same permissions,
	 * and the same bindings. Comments, order, labels and annotations are not compared.
	 * With the property {@value #WRITE} the file is written first.
	 * @param file the file; a relative path starts at the working directory of the tests,
	 * which is the folder of the module with Maven and Gradle
	 * @throws AssertionError if the file does not exist, cannot be read or has other
	 * objects; the message lists the missing and the unneeded rules, and the command that
	 * writes the file
	 * @throws UncheckedIOException if the file cannot be written
	 */
	public void assertUpToDate(Path file) {
		Class<?> caller = CALLERS.getCallerClass();
		if (isToBeWritten()) {
			write(file, caller);
		}
		String advice = "%nRun %s with -D%s=true, or with %s=true in its environment, to write it."
			.formatted(caller.getSimpleName(), WRITE, WRITE.toUpperCase(Locale.ROOT).replace('.', '_'));
		SortedSet<String> missing = RbacGrants.of(documents());
		SortedSet<String> needless = new TreeSet<>(read(file, advice));
		List.copyOf(missing).forEach((grant) -> {
			if (needless.remove(grant)) {
				missing.remove(grant);
			}
		});
		if (!missing.isEmpty() || !needless.isEmpty()) {
			throw new AssertionError("'%s' differs from what the application needs%s.%s%s%s".formatted(file, where(),
					lines("Missing", missing), lines("Not needed", needless), advice));
		}
	}

	private boolean isToBeWritten() {
		String value = this.context.getEnvironment().getProperty(WRITE);
		return value != null && !value.strip().equalsIgnoreCase("false");
	}

	private static SortedSet<String> read(Path file, String advice) {
		try {
			return RbacGrants.of(Files.readString(file));
		}
		catch (IOException ex) {
			throw new AssertionError("Cannot read '%s': %s.%s".formatted(file, ex, advice), ex);
		}
		catch (IllegalArgumentException ex) {
			throw new AssertionError("'%s' is not a manifest: %s.%s".formatted(file, ex.getMessage(), advice), ex);
		}
	}

	private static String lines(String title, SortedSet<String> grants) {
		return grants.isEmpty() ? ""
				: "%n%s:%n    %s".formatted(title, String.join(System.lineSeparator() + "    ", grants));
	}

	private String where() {
		return this.cluster.equals(InformerClusters.DEFAULT) ? "" : " in the cluster '%s'".formatted(this.cluster);
	}

	private RequiredRoles roles() {
		try {
			return RequiredRoles.of(this.context, this.context.getEnvironment());
		}
		catch (NoSuchBeanDefinitionException ex) {
			throw new IllegalArgumentException(
					("The context '%s' has no informers: add the starter, enable auto-configuration, and do "
							+ "not set 'kubernetes.informers.enabled' to false")
						.formatted(this.context.getDisplayName()),
					ex);
		}
	}

	List<Map<String, Object>> documents() {
		List<Map<String, Object>> documents = new ArrayList<>(roles().in(this.cluster, this.rules));
		if (this.account != null) {
			for (Map<String, Object> role : List.copyOf(documents)) {
				documents.add(binding(role, this.account));
			}
		}
		return documents;
	}

	private static Map<String, Object> binding(Map<String, Object> role, Account account) {
		Map<String, Object> binding = new LinkedHashMap<>();
		binding.put("apiVersion", API_GROUP + "/v1");
		binding.put("kind", role.get("kind") + "Binding");
		Map<?, ?> metadata = Objects.requireNonNull((Map<?, ?>) role.get("metadata"));
		binding.put("metadata", new LinkedHashMap<>(metadata));
		Map<String, Object> reference = new LinkedHashMap<>();
		reference.put("apiGroup", API_GROUP);
		reference.put("kind", role.get("kind"));
		reference.put("name", metadata.get("name"));
		binding.put("roleRef", reference);
		Map<String, Object> subject = new LinkedHashMap<>();
		subject.put("kind", "ServiceAccount");
		subject.put("name", account.name());
		subject.put("namespace", account.namespace());
		binding.put("subjects", new ArrayList<>(Arrays.asList(subject)));
		return binding;
	}

	/**
	 * Service account.
	 *
	 * @param namespace the namespace
	 * @param name the name
	 */
	private record Account(String namespace, String name) {

	}

}
