package dev.kubeinformer.spring.test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.kubeinformer.spring.test.orders.OrdersApplication;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the program that writes the manifests of an application.
 */
class KubernetesManifestsMainTests {

	/** System property that components set when they run. */
	private static final String RAN = "orders.ran.main";

	private final ByteArrayOutputStream out = new ByteArrayOutputStream();

	private final ByteArrayOutputStream err = new ByteArrayOutputStream();

	@TempDir
	private Path folder;

	@BeforeEach
	void nothingRan() {
		System.clearProperty(RAN);
	}

	@Test
	void applicationShouldNotBeStartedForItsManifests() throws Exception {
		Path output = this.folder.resolve("k8s");
		assertThat(run("--application=" + OrdersApplication.class.getName(), "--output=" + output, "--profiles=cluster",
				"--version=1.2.0+3", "--spring.application.name=My Orders", "--kubernetes.leader.enabled=true",
				"--kubernetes.leader.lease.name=orders", "--kubernetes.clusters.edge.url=http://localhost:1",
				"--orders.pod=${POD_NAME}", "--orders.ran=" + RAN))
			.as(this::errors)
			.isZero();
		assertThat(System.getProperty(RAN)).isNull();
		assertThat(names(output)).containsExactly("1-namespace.yaml", "2-definitions.yaml", "3-rbac.yaml",
				"4-deployment.yaml");
		assertThat(Files.readString(output.resolve("4-deployment.yaml"))).isEqualTo("""
				# Generated from the application 'my-orders' by KubernetesManifests; changes are lost.
				---
				apiVersion: apps/v1
				kind: Deployment
				metadata:
				  name: my-orders
				  namespace: my-orders
				  labels:
				    app.kubernetes.io/name: my-orders
				spec:
				  replicas: 2
				  selector:
				    matchLabels:
				      app.kubernetes.io/name: my-orders
				  strategy:
				    rollingUpdate:
				      maxSurge: 1
				      maxUnavailable: 0
				    type: RollingUpdate
				  template:
				    metadata:
				      labels:
				        app.kubernetes.io/name: my-orders
				    spec:
				      containers:
				      - name: my-orders
				        env:
				        - name: JDK_JAVA_OPTIONS
				          value: -XX:MaxRAMPercentage=75 -XX:+ExitOnOutOfMemoryError
				        - name: SPRING_PROFILES_ACTIVE
				          value: cluster
				        - name: POD_NAME
				          valueFrom:
				            fieldRef:
				              fieldPath: metadata.name
				        image: my-orders:1.2.0-3
				        resources:
				          limits:
				            memory: 1Gi
				          requests:
				            cpu: 100m
				            memory: 1Gi
				        securityContext:
				          allowPrivilegeEscalation: false
				          capabilities:
				            drop:
				            - ALL
				          readOnlyRootFilesystem: true
				        volumeMounts:
				        - name: tmp
				          mountPath: /tmp
				      securityContext:
				        runAsNonRoot: true
				        seccompProfile:
				          type: RuntimeDefault
				      serviceAccountName: my-orders
				      terminationGracePeriodSeconds: 75
				      volumes:
				      - name: tmp
				        emptyDir: {}
				""");
		assertThat(Files.readString(output.resolve("2-definitions.yaml"))).contains("name: orders.shop.example.com",
				"article:");
		assertThat(Files.readString(output.resolve("3-rbac.yaml")))
			.contains("kind: ServiceAccount", "namespace: my-orders", "- leases", "- orders/status")
			.doesNotContain("application-namespace");
		assertThat(output()).contains("Wrote '" + output.resolve("4-deployment.yaml") + "'",
				"The pods have no probes, because the application has no web server");
	}

	@Test
	void checkShouldWriteNothingAndSayWhatDiffers() throws Exception {
		Path output = this.folder.resolve("all.yaml");
		String[] arguments = { "--application=" + OrdersApplication.class.getName(), "--output=" + output,
				"--namespace=shop" };
		assertThat(run(with(arguments, "--check"))).isEqualTo(KubernetesManifestsMain.NOT_UP_TO_DATE);
		assertThat(errors()).contains("'" + output + "' is missing");
		assertThat(output).doesNotExist();
		assertThat(run(arguments)).isZero();
		assertThat(run(with(arguments, "--check"))).isZero();
		String text = Files.readString(output);
		Files.writeString(output, text.replace("replicas: 1", "replicas: 3"));
		assertThat(run(with(arguments, "--check"))).isEqualTo(KubernetesManifestsMain.NOT_UP_TO_DATE);
		assertThat(errors()).contains("Deployment 'shop/application': spec.replicas is 3, needed is 1");
		assertThat(run(arguments)).isZero();
		assertThat(output).hasContent(text);
	}

	@Test
	void breakingChangeOfADefinitionShouldBeWrittenOnlyIfAccepted() throws Exception {
		Path output = this.folder.resolve("k8s");
		Path definitions = output.resolve("2-definitions.yaml");
		String[] arguments = { "--application=" + OrdersApplication.class.getName(), "--output=" + output };
		assertThat(run(arguments)).isZero();
		String text = Files.readString(definitions);
		String older = text.replace("article:", "product:");
		assertThat(older).isNotEqualTo(text);
		Files.writeString(definitions, older);
		Files.delete(output.resolve("3-rbac.yaml"));
		assertThat(run(arguments)).isEqualTo(KubernetesManifestsMain.BREAKING_CHANGES);
		assertThat(errors()).contains("orders.shop.example.com v1 .spec.product", "'--accept-breaking-changes'");
		assertThat(definitions).hasContent(older);
		assertThat(output.resolve("3-rbac.yaml")).doesNotExist();
		assertThat(run(with(arguments, "--accept-breaking-changes"))).isZero();
		assertThat(definitions).hasContent(text);
	}

	@Test
	void applicationShouldBeFoundInItsClasses() throws Exception {
		Path output = this.folder.resolve("k8s");
		Path classes = Path.of(OrdersApplication.class.getResource("OrdersApplication.class").toURI()).getParent();
		assertThat(run("--classes=" + classes, "--output=" + output, "--no-deployment", "--no-namespace",
				"--foreign-definitions=dev.kubeinformer.spring.test.orders.Order"))
			.as(this::errors)
			.isZero();
		assertThat(names(output)).containsExactly("3-rbac.yaml");
		assertThat(run("--classes=" + this.folder, "--output=" + output))
			.isEqualTo(KubernetesManifestsMain.WRONG_ARGUMENTS);
		assertThat(errors()).contains("No class in [" + this.folder + "] has @SpringBootApplication");
	}

	@Test
	void applicationShouldBeFoundIfTheMainClassHasNoConfiguration() throws Exception {
		Path output = this.folder.resolve("k8s");
		Path classes = Path.of(OrdersApplication.class.getResource("OrdersApplication.class").toURI()).getParent();
		assertThat(run("--application=" + OrdersKt.class.getName(), "--classes=" + classes, "--output=" + output,
				"--no-deployment"))
			.as(this::errors)
			.isZero();
		assertThat(output.resolve("2-definitions.yaml")).exists();
	}

	@Test
	void configurationShouldBeThatOfTheCluster() throws Exception {
		Path output = this.folder.resolve("k8s");
		Files.writeString(this.folder.resolve("application.yml"), """
				spring:
				  config:
				    activate:
				      on-cloud-platform: kubernetes
				kubernetes:
				  leader:
				    enabled: true
				    lease:
				      name: orders
				  definitions:
				    exclude: orders.shop.example.com
				""");
		assertThat(run("--application=" + OrdersApplication.class.getName(), "--output=" + output,
				"--spring.config.additional-location=" + this.folder.toUri()))
			.as(this::errors)
			.isZero();
		assertThat(output.resolve("4-deployment.yaml")).content().contains("replicas: 2");
		assertThat(names(output)).containsExactly("1-namespace.yaml", "3-rbac.yaml", "4-deployment.yaml");
	}

	@Test
	void failuresShouldHaveTheirExitCodes() {
		String output = "--output=" + this.folder.resolve("k8s");
		assertThat(run("--application=com.example.Missing", output)).isEqualTo(KubernetesManifestsMain.WRONG_ARGUMENTS);
		assertThat(errors()).contains("The class 'com.example.Missing' of '--application' is not on the class path");
		assertThat(run("--application=" + OrdersApplication.class.getName(), output, "--service"))
			.isEqualTo(KubernetesManifestsMain.FAILED);
		assertThat(errors()).contains("A Service of 'application' would have no port");
		assertThat(run("--application=" + OrdersApplication.class.getName(), output,
				"--kubernetes.informers.enabled=false"))
			.isEqualTo(KubernetesManifestsMain.FAILED);
	}

	private int run(String... arguments) {
		this.out.reset();
		this.err.reset();
		return KubernetesManifestsMain.run(new PrintStream(this.out, true, StandardCharsets.UTF_8),
				new PrintStream(this.err, true, StandardCharsets.UTF_8), arguments);
	}

	private static String[] with(String[] arguments, String more) {
		return Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new);
	}

	private static List<String> names(Path folder) throws Exception {
		try (Stream<Path> files = Files.list(folder)) {
			return files.map((file) -> file.getFileName().toString()).sorted().toList();
		}
	}

	private String errors() {
		return this.err.toString(StandardCharsets.UTF_8);
	}

	private String output() {
		return this.out.toString(StandardCharsets.UTF_8);
	}

	/**
	 * Class with the method {@code main} of an application, as Kotlin compiles a function
	 * of a file.
	 */
	static final class OrdersKt {

		static void main(String[] args) {
			OrdersApplication.main(args);
		}

	}

}
