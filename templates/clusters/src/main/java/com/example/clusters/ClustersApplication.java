package com.example.clusters;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class ClustersApplication {

	public static void main(String[] args) {
		SpringApplication.run(ClustersApplication.class, args);
	}

}
