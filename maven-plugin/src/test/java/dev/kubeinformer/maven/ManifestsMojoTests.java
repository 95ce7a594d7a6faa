package dev.kubeinformer.maven;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.apache.maven.artifact.Artifact;
import org.apache.maven.artifact.DefaultArtifact;
import org.apache.maven.artifact.handler.DefaultArtifactHandler;
import org.apache.maven.model.Build;
import org.apache.maven.model.Plugin;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugin.logging.SystemStreamLog;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.util.xml.Xpp3Dom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.kubeinformer.maven.orders.OrdersApplication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of the goal, on a project whose class path is that of the tests.
 */
class ManifestsMojoTests {

	private static final String STARTER_TEST = "kubernetes-informer-spring-boot-starter-test";

	private final MavenProject project = new MavenProject();

	private final ManifestsMojo mojo = new ManifestsMojo(this.project);

	private final List<String> errors = new ArrayList<>();

	@TempDir
	private Path folder;

	@Test
	void parametersShouldBecomeArguments() {
		project(artifact(STARTER_TEST, "/test.jar"), artifact("spring-boot-devtools", "/devtools.jar"));
		this.mojo.image = "registry.example.com/shop:1";
		this.mojo.profiles = List.of("a", "b");
		this.mojo.replicas = 3;
		this.mojo.service = true;
		this.mojo.deployment = false;
		this.mojo.check = true;
		this.mojo.arguments = List.of("--server.port=1");
		this.mojo.jvmArguments = List.of("-Xmx1g");
		assertThat(this.mojo.command(this.project)).containsExactly("-XX:TieredStopAtLevel=1", "-Xmx1g", "-cp",
				this.project.getBuild().getOutputDirectory() + File.pathSeparator + new File("/test.jar").getPath(),
				"dev.kubeinformer.spring.test.KubernetesManifestsMain",
				"--classes=" + this.project.getBuild().getOutputDirectory(),
				"--output=" + this.folder.resolve("src/main/k8s"), "--default-name=orders",
				"--image=registry.example.com/shop:1", "--version=1.2.0", "--replicas=3", "--profiles=a,b", "--service",
				"--no-deployment", "--check", "--server.port=1");
	}

	@Test
	void mainClassShouldBeThatOfTheParameterThePropertyOrTheBootPlugin() {
		project();
		Plugin boot = new Plugin();
		boot.setGroupId("org.springframework.boot");
		boot.setArtifactId("spring-boot-maven-plugin");
		boot.setConfiguration(new Xpp3Dom("configuration"));
		this.project.getBuild().addPlugin(boot);
		Xpp3Dom main = new Xpp3Dom("mainClass");
		main.setValue("${start-class}");
		((Xpp3Dom) boot.getConfiguration()).addChild(main);
		assertThat(this.mojo.command(this.project)).noneMatch((argument) -> argument.startsWith("--application"));
		main.setValue("com.example.Plugin");
		assertThat(this.mojo.command(this.project)).contains("--application=com.example.Plugin");
		this.project.getProperties().setProperty("start-class", "com.example.Start");
		assertThat(this.mojo.command(this.project)).contains("--application=com.example.Start");
		this.mojo.mainClass = "com.example.Main";
		assertThat(this.mojo.command(this.project)).contains("--application=com.example.Main",
				"--classes=" + this.project.getBuild().getOutputDirectory());
	}

	@Test
	void projectWithoutTheStarterShouldFailWithTheMendAndAnAggregatorBeSkipped() throws Exception {
		project();
		assertThatExceptionOfType(MojoFailureException.class).isThrownBy(this.mojo::execute)
			.withMessage("The project 'orders' does not have the dependency that writes manifests; "
					+ "add 'dev.kubeinformer:kubernetes-informer-spring-boot-starter-test' with scope 'test'");
		this.mojo.skip = true;
		this.mojo.execute();
		this.mojo.skip = false;
		this.project.setPackaging("pom");
		this.mojo.execute();
	}

	@Test
	void manifestsShouldBeWrittenAndCheckedInAJvmOfTheirOwn() throws Exception {
		project(classPath());
		this.mojo.mainClass = OrdersApplication.class.getName();
		this.mojo.check = true;
		assertThatExceptionOfType(MojoFailureException.class).isThrownBy(this.mojo::execute)
			.withMessageContainingAll("' are not up to date; run 'mvn kubernetes-informer:manifests'");
		this.mojo.check = false;
		this.mojo.execute();
		Path output = this.folder.resolve("src/main/k8s");
		assertThat(output.resolve("2-definitions.yaml")).content().contains("orders.shop.example.com");
		assertThat(output.resolve("4-deployment.yaml")).content().contains("image: orders:1.2.0", "replicas: 1");
		this.mojo.mainClass = "com.example.Missing";
		assertThatExceptionOfType(MojoExecutionException.class).isThrownBy(this.mojo::execute)
			.withMessage("The manifests of 'orders' cannot be written (exit code 2); see above");
		assertThat(this.errors).anyMatch((line) -> line.contains("The class 'com.example.Missing'"));
	}

	private void project(Artifact... artifacts) {
		this.project.setFile(this.folder.resolve("pom.xml").toFile());
		this.project.setArtifactId("orders");
		this.project.setVersion("1.2.0");
		this.project.setArtifacts(new LinkedHashSet<>(List.of(artifacts)));
		Build build = new Build();
		build.setOutputDirectory(this.folder.resolve("target/classes").toString());
		this.project.getModel().setBuild(build);
		this.mojo.setLog(new SystemStreamLog() {

			@Override
			public void error(CharSequence content) {
				ManifestsMojoTests.this.errors.add(content.toString());
			}

		});
	}

	private static Artifact[] classPath() {
		String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
		List<Artifact> artifacts = new ArrayList<>();
		artifacts.add(artifact(STARTER_TEST, testClasses()));
		for (String entry : Set.of(path.split(File.pathSeparator))) {
			artifacts.add(artifact("a" + artifacts.size(), entry));
		}
		return artifacts.toArray(Artifact[]::new);
	}

	private static String testClasses() {
		try {
			return Path.of(OrdersApplication.class.getProtectionDomain().getCodeSource().getLocation().toURI())
				.toString();
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Artifact artifact(String id, String file) {
		DefaultArtifactHandler handler = new DefaultArtifactHandler("jar");
		handler.setAddedToClasspath(true);
		Artifact artifact = new DefaultArtifact("com.example", id, "1", Artifact.SCOPE_TEST, "jar", null, handler);
		artifact.setFile(new File(file));
		return artifact;
	}

}
