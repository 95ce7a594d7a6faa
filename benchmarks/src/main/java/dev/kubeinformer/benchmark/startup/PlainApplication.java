package dev.kubeinformer.benchmark.startup;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** Web application with a health endpoint and without handlers. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class PlainApplication {

	/**
	 * Starts the application.
	 * @param args the Spring properties
	 */
	public static void main(String[] args) {
		Footprint.printWhenAsked();
		SpringApplication.run(PlainApplication.class, args);
	}

}
