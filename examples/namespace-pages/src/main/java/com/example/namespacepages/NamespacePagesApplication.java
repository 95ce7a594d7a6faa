package com.example.namespacepages;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class NamespacePagesApplication {

	public static void main(String[] args) {
		SpringApplication.run(NamespacePagesApplication.class, args);
	}

}
