package com.example.fleetview;

import java.nio.file.Path;
import java.util.stream.Stream;

import org.springframework.boot.SpringApplication;

import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Runs the application without a cluster, on two Kubernetes API servers in memory:
 * {@code mvn spring-boot:test-run}.
 */
class TestFleetViewApplication {

	public static void main(String[] args) {
		Stream<String> clusters = Stream.of(start("east"), start("west"));
		SpringApplication.from(FleetViewApplication::main)
			.run(Stream.concat(clusters, Stream.of(args)).toArray(String[]::new));
	}

	private static String start(String cluster) {
		Path kubeconfig = Path.of("target", cluster + ".kubeconfig");
		EmbeddedKubernetes.start().writeKubeconfig(kubeconfig);
		return "--kubernetes.clusters." + cluster + ".kubeconfig=" + kubeconfig;
	}

}
