package dev.kubeinformer.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * Demonstration application. It starts its own Kubernetes API; with the profile
 * {@code cluster} it watches the cluster of the kubeconfig instead.
 */
@SpringBootApplication
@EnableScheduling
public class SampleApplication {

	/**
	 * Starts the demonstration.
	 * @param args arguments of Spring Boot
	 */
	public static void main(String[] args) {
		SpringApplication.run(SampleApplication.class, args);
	}

}
