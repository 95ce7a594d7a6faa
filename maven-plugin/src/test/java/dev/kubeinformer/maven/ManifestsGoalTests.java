package dev.kubeinformer.maven;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

import org.apache.maven.model.Model;
import org.apache.maven.model.io.xpp3.MavenXpp3Reader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the goal as a user calls it: by its prefix, and within a phase. The local
 * repository of the build is that of this machine, with the modules of this build in it.
 */
@Tag("slow")
@EnabledIfSystemProperty(named = "maven.home", matches = ".+")
class ManifestsGoalTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	@TempDir
	private Path folder;

	@AfterEach
	void unlink() throws IOException {
		for (String name : List.of("repository", "repository/dev")) {
			Path linked = this.folder.resolve(name);
			if (Files.isDirectory(linked)) {
				try (Stream<Path> entries = Files.list(linked)) {
					for (Path link : entries.filter(Files::isSymbolicLink).toList()) {
						Files.delete(link);
					}
				}
			}
		}
	}

	@Test
	void goalShouldCompileAndWriteAndThePhaseShouldCheck() throws Exception {
		Path project = project();
		stageModules();
		String written = mvn(project, 0, "kubernetes-informer:manifests");
		assertThat(written).contains("Wrote ", "BUILD SUCCESS");
		Path output = project.resolve("src/main/k8s");
		assertThat(output.resolve("2-definitions.yaml")).content().contains("orders.shop.example.com", "article:");
		assertThat(output.resolve("4-deployment.yaml")).content().contains("image: orders:1.2.0");
		assertThat(mvn(project, 0, "verify")).contains("' is up to date", "BUILD SUCCESS");
		Path source = project.resolve("src/main/java/com/example/orders/OrdersApplication.java");
		Files.writeString(source, Files.readString(source).replace("article", "product"));
		assertThat(mvn(project, 1, "verify")).contains("are not up to date; run 'mvn kubernetes-informer:manifests'");
		assertThat(mvn(project, 1, "kubernetes-informer:manifests")).contains("can break stored objects",
				"orders.shop.example.com v1 .article");
		assertThat(mvn(project, 0, "kubernetes-informer:manifests", "-Dkubernetes-informer.acceptBreakingChanges"))
			.contains("Wrote ");
		assertThat(mvn(project, 0, "verify")).contains("BUILD SUCCESS");
	}

	private Path project() throws IOException {
		Path project = this.folder.resolve("orders");
		Path sources = Files.createDirectories(project.resolve("src/main/java/com/example/orders"));
		String application = Files
			.readString(Path.of("src/test/java/dev/kubeinformer/maven/orders/OrdersApplication.java"))
			.replace("dev.kubeinformer.maven.orders", "com.example.orders");
		Files.writeString(sources.resolve("OrdersApplication.java"), application);
		String version = model(ROOT).getVersion();
		Files.writeString(project.resolve("pom.xml"), """
				<project xmlns="http://maven.apache.org/POM/4.0.0">
					<modelVersion>4.0.0</modelVersion>
					<parent>
						<groupId>org.springframework.boot</groupId>
						<artifactId>spring-boot-starter-parent</artifactId>
						<version>BOOT</version>
						<relativePath/>
					</parent>
					<groupId>com.example</groupId>
					<artifactId>orders</artifactId>
					<version>1.2.0</version>
					<dependencies>
						<dependency>
							<groupId>dev.kubeinformer</groupId>
							<artifactId>kubernetes-informer-spring-boot-starter</artifactId>
							<version>VERSION</version>
						</dependency>
						<dependency>
							<groupId>dev.kubeinformer</groupId>
							<artifactId>kubernetes-informer-spring-boot-starter-test</artifactId>
							<version>VERSION</version>
							<scope>test</scope>
						</dependency>
					</dependencies>
					<build>
						<plugins>
							<plugin>
								<groupId>dev.kubeinformer</groupId>
								<artifactId>kubernetes-informer-maven-plugin</artifactId>
								<version>VERSION</version>
								<executions>
									<execution>
										<goals>
											<goal>manifests</goal>
										</goals>
										<configuration>
											<check>true</check>
										</configuration>
									</execution>
								</executions>
							</plugin>
						</plugins>
					</build>
				</project>
				""".replace("VERSION", version)
			.replace("BOOT", model(ROOT).getProperties().getProperty("spring-boot.version")));
		return project;
	}

	private String mvn(Path project, int expected, String... arguments) throws Exception {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(), "-o", "-B", "-ntp",
						"-Dmaven.test.skip", "-Dmaven.repo.local=" + this.folder.resolve("repository")));
		command.addAll(List.of(arguments));
		ProcessBuilder builder = new ProcessBuilder(command).directory(project.toFile()).redirectErrorStream(true);
		builder.environment().remove("MAVEN_OPTS");
		Process process = builder.start();
		String output = new String(process.getInputStream().readAllBytes());
		assertThat(process.waitFor()).as(output).isEqualTo(expected);
		return output;
	}

	// All of the local repository but the modules, by links; these as they are compiled.
	private void stageModules() throws Exception {
		Path local = Path.of(System.getProperty("maven.repo.local"));
		Path repository = Files.createDirectories(this.folder.resolve("repository"));
		link(local, repository, "dev");
		Path dev = Files.createDirectories(repository.resolve("dev"));
		if (Files.isDirectory(local.resolve("dev"))) {
			link(local.resolve("dev"), dev, "kubeinformer");
		}
		Model root = model(ROOT);
		stage(root.getArtifactId(), root.getVersion(), ROOT, false);
		for (String module : root.getModules()) {
			Path directory = ROOT.resolve(module);
			stage(model(directory).getArtifactId(), root.getVersion(), directory,
					!"pom".equals(model(directory).getPackaging()));
		}
	}

	private static void link(Path from, Path to, String except) throws IOException {
		try (Stream<Path> entries = Files.list(from)) {
			for (Path entry : entries.filter((each) -> !each.endsWith(except)).toList()) {
				Files.createSymbolicLink(to.resolve(entry.getFileName()), entry);
			}
		}
	}

	private void stage(String artifact, String version, Path directory, boolean jar) throws IOException {
		Path folder = Files
			.createDirectories(this.folder.resolve("repository/dev/kubeinformer").resolve(artifact).resolve(version));
		String name = artifact + "-" + version;
		Files.copy(directory.resolve("pom.xml"), folder.resolve(name + ".pom"));
		if (jar) {
			jar(directory.resolve("target/classes"), folder.resolve(name + ".jar"));
		}
	}

	private static void jar(Path classes, Path jar) throws IOException {
		try (OutputStream file = Files.newOutputStream(jar);
				JarOutputStream stream = new JarOutputStream(file);
				Stream<Path> entries = Files.isDirectory(classes) ? Files.walk(classes) : Stream.empty()) {
			for (Path entry : entries.filter(Files::isRegularFile).toList()) {
				stream
					.putNextEntry(new JarEntry(classes.relativize(entry).toString().replace(File.separatorChar, '/')));
				Files.copy(entry, stream);
			}
		}
	}

	private static Model model(Path directory) {
		try (Reader pom = Files.newBufferedReader(directory.resolve("pom.xml"))) {
			return new MavenXpp3Reader().read(pom);
		}
		catch (Exception ex) {
			throw new IllegalStateException("Cannot read the POM in " + directory, ex);
		}
	}

}
