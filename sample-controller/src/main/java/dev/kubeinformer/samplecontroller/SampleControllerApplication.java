package dev.kubeinformer.samplecontroller;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Application with the sample controller.
 */
@SpringBootApplication
public class SampleControllerApplication {

	/**
	 * Starts the controller.
	 * @param args arguments of Spring Boot
	 */
	public static void main(String[] args) {
		SpringApplication.run(SampleControllerApplication.class, args);
	}

}
