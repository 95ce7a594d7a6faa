package com.example.fleetview;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class FleetViewApplication {

	public static void main(String[] args) {
		SpringApplication.run(FleetViewApplication.class, args);
	}

}
