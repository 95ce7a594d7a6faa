package dev.kubeinformer.maven;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

import javax.inject.Inject;

import org.apache.maven.artifact.Artifact;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Plugin;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.apache.maven.project.MavenProject;
import org.apache.maven.toolchain.Toolchain;
import org.apache.maven.toolchain.ToolchainManager;
import org.codehaus.plexus.util.xml.Xpp3Dom;
import org.jspecify.annotations.Nullable;

/**
 * Writes the Kubernetes manifests of a Spring Boot application: definitions of its custom
 * resources, Namespace, ServiceAccount, roles and Deployment. It compiles the project,
 * and refreshes the context of the application in a separate JVM, on an embedded API, so
 * no cluster is needed. The project needs the dependency
 * {@code kubernetes-informer-spring-boot-starter-test}; its tests are not on the class
 * path.
 */
@Mojo(name = "manifests", defaultPhase = LifecyclePhase.VERIFY, requiresDependencyResolution = ResolutionScope.TEST,
		threadSafe = true)
@Execute(phase = LifecyclePhase.PROCESS_CLASSES)
public class ManifestsMojo extends AbstractMojo {

	private static final String MAIN = "dev.kubeinformer.spring.test.KubernetesManifestsMain";

	private static final String STARTER_TEST = "kubernetes-informer-spring-boot-starter-test";

	private static final String WRITE = "mvn kubernetes-informer:manifests";

	/**
	 * Artifacts that Spring Boot does not put into an application, so images do not
	 * contain them.
	 */
	private static final Set<String> DEVELOPMENT = Set.of("spring-boot-devtools", "spring-boot-docker-compose");

	private static final int NOT_UP_TO_DATE = 3;

	private static final int BREAKING_CHANGES = 4;

	@Parameter(defaultValue = "${project}", readonly = true, required = true)
	private @Nullable MavenProject project;

	@Parameter(defaultValue = "${session}", readonly = true, required = true)
	private @Nullable MavenSession session;

	@Inject
	private @Nullable ToolchainManager toolchains;

	/**
	 * Class of the application. By default the property {@code start-class}, the
	 * {@code mainClass} of the Spring Boot plugin, or the class with
	 * {@code @SpringBootApplication}. The class with this annotation is also used if the
	 * configured class has only a {@code main} method, such as {@code AppKt} of Kotlin.
	 */
	@Parameter(property = "kubernetes-informer.mainClass")
	@Nullable String mainClass;

	/**
	 * Folder of the manifests, or one file with the ending {@code .yaml}.
	 */
	@Parameter(property = "kubernetes-informer.output", defaultValue = "${project.basedir}/src/main/k8s")
	@Nullable File output;

	/**
	 * Image of the Deployment. By default the name and the version of the application.
	 */
	@Parameter(property = "kubernetes-informer.image")
	@Nullable String image;

	/**
	 * Version of the application. It is the tag of the default image.
	 */
	@Parameter(property = "kubernetes-informer.version", defaultValue = "${project.version}")
	@Nullable String version;

	/**
	 * Name of the Deployment and the service account. By default
	 * {@code spring.application.name}, else the artifact id.
	 */
	@Parameter(property = "kubernetes-informer.name")
	@Nullable String name;

	/**
	 * Namespace of the application. By default the name of the application.
	 */
	@Parameter(property = "kubernetes-informer.namespace")
	@Nullable String namespace;

	/**
	 * Number of replicas. By default 2 if the replicas elect a leader or move shards
	 * between them, otherwise 1.
	 */
	@Parameter(property = "kubernetes-informer.replicas")
	@Nullable Integer replicas;

	/**
	 * Spring profiles that are active in the cluster.
	 */
	@Parameter(property = "kubernetes-informer.profiles")
	@Nullable List<String> profiles;

	/**
	 * Whether to write a Service for the port of the application.
	 */
	@Parameter(property = "kubernetes-informer.service", defaultValue = "false")
	boolean service;

	/**
	 * Whether to write a Deployment.
	 */
	@Parameter(property = "kubernetes-informer.deployment", defaultValue = "true")
	boolean deployment = true;

	/**
	 * Whether to write the Namespace.
	 */
	@Parameter(property = "kubernetes-informer.namespaceObject", defaultValue = "true")
	boolean namespaceObject = true;

	/**
	 * Further classes whose definitions are written, such as other versions of a kind.
	 */
	@Parameter(property = "kubernetes-informer.definitions")
	@Nullable List<String> definitions;

	/**
	 * Classes whose definitions are not written, because they come from elsewhere, such
	 * as from the operator that owns them.
	 */
	@Parameter(property = "kubernetes-informer.foreignDefinitions")
	@Nullable List<String> foreignDefinitions;

	/**
	 * Whether to only compare: no file is written, and the build fails if a file is not
	 * up to date.
	 */
	@Parameter(property = "kubernetes-informer.check", defaultValue = "false")
	boolean check;

	/**
	 * Whether to replace definitions even if the changes can break stored objects.
	 */
	@Parameter(property = "kubernetes-informer.acceptBreakingChanges", defaultValue = "false")
	boolean acceptBreakingChanges;

	/**
	 * Properties of the application, such as
	 * {@code --spring.main.lazy-initialization=true}.
	 */
	@Parameter(property = "kubernetes-informer.arguments")
	@Nullable List<String> arguments;

	/**
	 * Arguments of the JVM in which the goal refreshes the application's context.
	 */
	@Parameter(property = "kubernetes-informer.jvmArguments")
	@Nullable List<String> jvmArguments;

	/**
	 * Whether to skip the goal.
	 */
	@Parameter(property = "kubernetes-informer.skip", defaultValue = "false")
	boolean skip;

	/**
	 * Creates the goal. Maven then sets its parameters.
	 */
	public ManifestsMojo() {
	}

	ManifestsMojo(MavenProject project) {
		this.project = project;
	}

	@Override
	public void execute() throws MojoExecutionException, MojoFailureException {
		MavenProject project = Objects.requireNonNull(this.project);
		if (this.skip || "pom".equals(project.getPackaging())) {
			getLog().info("Skipping the manifests");
			return;
		}
		if (project.getArtifacts().stream().noneMatch((artifact) -> STARTER_TEST.equals(artifact.getArtifactId()))) {
			throw new MojoFailureException(("The project '%s' does not have the dependency that writes manifests; "
					+ "add 'dev.kubeinformer:%s' with scope 'test'")
				.formatted(project.getArtifactId(), STARTER_TEST));
		}
		int exitCode = run(command(project), project.getBasedir());
		Path folder = outputOf(project).toPath();
		if (exitCode == NOT_UP_TO_DATE) {
			throw new MojoFailureException(
					"The manifests in '%s' are not up to date; run '%s'".formatted(folder, WRITE));
		}
		if (exitCode == BREAKING_CHANGES) {
			throw new MojoFailureException(
					"The definitions in '%s' would change in a way that can break stored objects; see above, or run '%s -Dkubernetes-informer.acceptBreakingChanges'"
						.formatted(folder, WRITE));
		}
		if (exitCode != 0) {
			throw new MojoExecutionException("The manifests of '%s' cannot be written (exit code %d); see above"
				.formatted(project.getArtifactId(), exitCode));
		}
	}

	private File outputOf(MavenProject project) {
		return (this.output != null) ? this.output : new File(project.getBasedir(), "src/main/k8s");
	}

	/**
	 * Returns the arguments of the separate JVM.
	 * @param project the project
	 * @return the options, the class path, the main class and its arguments
	 */
	List<String> command(MavenProject project) {
		List<String> command = new ArrayList<>();
		// The JVM ends too soon to benefit from the optimising compiler (C2).
		command.add("-XX:TieredStopAtLevel=1");
		command.addAll(given(this.jvmArguments));
		command.add("-cp");
		command.add(String.join(File.pathSeparator, classPath(project)));
		command.add(MAIN);
		add(command, "application", application(project));
		// The configured class may have only a main method, such as AppKt of Kotlin.
		add(command, "classes", project.getBuild().getOutputDirectory());
		add(command, "output", outputOf(project).getPath());
		add(command, "name", this.name);
		add(command, "default-name", project.getArtifactId());
		add(command, "namespace", this.namespace);
		add(command, "image", this.image);
		add(command, "version", (this.version != null) ? this.version : project.getVersion());
		add(command, "replicas", (this.replicas != null) ? this.replicas.toString() : null);
		add(command, "profiles", String.join(",", given(this.profiles)));
		add(command, "definitions", String.join(",", given(this.definitions)));
		add(command, "foreign-definitions", String.join(",", given(this.foreignDefinitions)));
		addSwitch(command, "service", this.service);
		addSwitch(command, "no-deployment", !this.deployment);
		addSwitch(command, "no-namespace", !this.namespaceObject);
		addSwitch(command, "check", this.check);
		addSwitch(command, "accept-breaking-changes", this.acceptBreakingChanges);
		command.addAll(given(this.arguments));
		return command;
	}

	private static List<String> given(@Nullable List<String> values) {
		return (values != null) ? values.stream().filter(Objects::nonNull).map(String::strip).toList() : List.of();
	}

	private static void add(List<String> command, String name, @Nullable String value) {
		if (value != null && !value.isBlank()) {
			command.add("--%s=%s".formatted(name, value.strip()));
		}
	}

	private static void addSwitch(List<String> command, String name, boolean value) {
		if (value) {
			command.add("--" + name);
		}
	}

	// Leaves out the test classes, because the application does not have their
	// configuration.
	private static List<String> classPath(MavenProject project) {
		List<String> classPath = new ArrayList<>();
		classPath.add(project.getBuild().getOutputDirectory());
		for (Artifact artifact : project.getArtifacts()) {
			if (artifact.getArtifactHandler().isAddedToClasspath() && artifact.getFile() != null
					&& !DEVELOPMENT.contains(artifact.getArtifactId())) {
				classPath.add(artifact.getFile().getPath());
			}
		}
		return classPath;
	}

	private @Nullable String application(MavenProject project) {
		if (this.mainClass != null) {
			return this.mainClass;
		}
		String property = project.getProperties().getProperty("start-class");
		if (property != null && !property.isBlank()) {
			return property.strip();
		}
		Plugin boot = project.getPlugin("org.springframework.boot:spring-boot-maven-plugin");
		Xpp3Dom value = (boot != null && boot.getConfiguration() instanceof Xpp3Dom configuration)
				? configuration.getChild("mainClass") : null;
		String configured = (value != null) ? value.getValue() : null;
		// The parent POM of Spring Boot sets mainClass to ${start-class}, a property that
		// most projects do not set.
		return (configured != null && !configured.isBlank() && !configured.contains("${")) ? configured.strip() : null;
	}

	private int run(List<String> command, File directory) throws MojoExecutionException {
		Path file = null;
		try {
			file = ArgumentFile.write(command);
			Process process = new ProcessBuilder(java(), "@" + file).directory(directory).start();
			process.getOutputStream().close();
			Thread errors = new Thread(() -> copy(process.getErrorStream(), getLog()::error), "manifests-errors");
			errors.start();
			copy(process.getInputStream(), getLog()::info);
			errors.join();
			return process.waitFor();
		}
		catch (IOException ex) {
			throw new MojoExecutionException("Cannot start '%s': %s".formatted(java(), ex.getMessage()), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new MojoExecutionException("Interrupted while writing manifests", ex);
		}
		finally {
			delete(file);
		}
	}

	private void delete(@Nullable Path file) {
		if (file != null) {
			try {
				Files.deleteIfExists(file);
			}
			catch (IOException ex) {
				getLog().debug("Cannot delete '%s'".formatted(file), ex);
			}
		}
	}

	private static void copy(InputStream stream, Consumer<String> log) {
		try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, Charset.defaultCharset()))) {
			reader.lines().forEach(log);
		}
		catch (IOException ex) {
			throw new IllegalStateException("Cannot read the output of the JVM", ex);
		}
	}

	private String java() {
		Toolchain toolchain = (this.toolchains != null)
				? this.toolchains.getToolchainFromBuildContext("jdk", this.session) : null;
		String tool = (toolchain != null) ? toolchain.findTool("java") : null;
		return (tool != null) ? tool : Path.of(System.getProperty("java.home"), "bin", "java").toString();
	}

}
